package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.test/messaging/messaging"
)

// operator does for the suite what no client may: POST /{hook} with a JSON object.
type operator struct {
	mu     sync.RWMutex // held by hooks, and alone by a restart
	server *messaging.Server
}

type hook func(server *messaging.Server, input []byte) (any, error)

// hooks are all that the suite has.
var hooks = map[string]hook{
	"provision":  taking(func(s *messaging.Server, in provisionInput) (any, error) { return provision(s, in) }),
	"revoke":     taking(func(s *messaging.Server, in tokenInput) (any, error) { return none{}, s.Store.Revoke(in.Token) }),
	"expire":     taking(func(s *messaging.Server, in tokenInput) (any, error) { return none{}, s.Store.Expire(in.Token) }),
	"rename":     taking(rename),
	"deactivate": taking(deactivate),
	"file":       taking(file),
	"limit":      taking(limit),
	"restart":    restart,
}

func (o *operator) handler() http.Handler {
	mux := http.NewServeMux()
	for name, hook := range hooks {
		mux.HandleFunc("POST /"+name, func(w http.ResponseWriter, r *http.Request) {
			var input json.RawMessage
			err := json.NewDecoder(r.Body).Decode(&input)
			var output any
			if err == nil {
				output, err = o.call(name, hook, input)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			_ = json.NewEncoder(w).Encode(output)
		})
	}
	return mux
}

// call keeps the other hooks out while the server starts again.
func (o *operator) call(name string, hook hook, input []byte) (any, error) {
	if name == "restart" {
		o.mu.Lock()
		defer o.mu.Unlock()
	} else {
		o.mu.RLock()
		defer o.mu.RUnlock()
	}
	return hook(o.server, input)
}

// taking reads the input of a hook.
func taking[Input any](do func(*messaging.Server, Input) (any, error)) hook {
	return func(server *messaging.Server, raw []byte) (any, error) {
		var input Input
		if err := json.Unmarshal(raw, &input); err != nil {
			return nil, err
		}
		return do(server, input)
	}
}

type none struct{}

func restart(server *messaging.Server, _ []byte) (any, error) {
	if err := server.Stop(); err != nil {
		return nil, err
	}
	return none{}, server.Start()
}

type tokenInput struct{ Token string }

type renameInput struct {
	Kind        string
	ID          string
	DisplayName string `json:"display_name"`
}

func rename(server *messaging.Server, input renameInput) (any, error) {
	return none{}, server.Store.Rename(messaging.Target{Kind: input.Kind, ID: input.ID}, input.DisplayName)
}

type deactivateInput struct {
	Kind        string
	AgentID     string `json:"agent_id"`
	MachineID   string `json:"machine_id"`
	HumanUserID string `json:"human_user_id"`
	Active      bool
}

func deactivate(server *messaging.Server, input deactivateInput) (any, error) {
	switch input.Kind {
	case "access":
		return none{}, server.Store.GiveAccess(input.AgentID, input.Active)
	case "machine":
		return none{}, server.Store.ActivateMachine(input.MachineID, input.Active)
	default:
		return none{}, server.Store.ActivateMembership(input.HumanUserID, input.Active)
	}
}

type fileInput struct {
	Action      string
	ID          string
	Filename    string
	ContentType string `json:"content_type"`
	Content     []byte `json:"content_base64"`
	AgentToken  string `json:"agent_token"`
}

func file(server *messaging.Server, input fileInput) (any, error) {
	if input.Action == "delete" {
		return none{}, server.Store.DeleteFile(input.ID)
	}
	id, err := server.Store.AddFile(input.AgentToken, input.Filename, input.ContentType, input.Content)
	return map[string]string{"id": id}, err
}

type limitInput struct {
	Token     string
	PerSecond float64 `json:"per_second"`
}

func limit(server *messaging.Server, input limitInput) (any, error) {
	server.SetRate(input.Token, input.PerSecond)
	return none{}, nil
}

type provisionInput struct{ Agents, Channels, Members int }

// provisioned is a fresh workspace in the words of a target file.
type provisioned struct {
	Workspace     string            `json:"workspace"`
	Channel       string            `json:"channel"`
	SecondChannel string            `json:"second_channel"`
	Roles         map[string]string `json:"roles"`
	Agents        []string          `json:"agents,omitempty"`
	Channels      []string          `json:"channels,omitempty"`
	Members       int               `json:"members,omitempty"`
	Without       map[string]string `json:"without"`
	Sharing       map[string]string `json:"sharing"`
}

// provision makes a fresh workspace with one principal for every role.
func provision(server *messaging.Server, input provisionInput) (provisioned, error) {
	nobody, nowhere := messaging.Human{}, messaging.Machine{}
	here, elsewhere := messaging.NewWorkspace("here"), messaging.NewWorkspace("elsewhere")
	ada, grace := here.Human("Ada Lovelace"), here.Human("Grace Hopper")
	desk, laptop := here.Machine("desk", ada), here.Machine("laptop", grace)
	author, authorToken := here.Agent("author", ada, desk, true)
	reader, readerToken := here.Agent("reader", grace, laptop, true)
	_, peerToken := here.Agent("peer", grace, laptop, true)
	_, outsiderToken := here.Agent("outsider", nobody, nowhere, false)
	_, keyToken := here.Agent("api key", ada, nowhere, true)
	stranger, strangerToken := elsewhere.Agent("stranger", elsewhere.Human("Alan Turing"), nowhere, true)
	elsewhere.Channel("general", true, stranger)
	_, botToken := here.Agent("bot", nobody, desk, true)
	_, cloudToken := here.Agent("cloud", ada, nowhere, true)
	_, tabletToken := here.Agent("tablet", grace, here.Machine("tablet", grace), true)
	_, guestToken := here.Agent("guest", here.Human("Edsger Dijkstra"), laptop, true)
	made := provisioned{
		Workspace:     here.WorkspaceID,
		Channel:       here.Channel("general", true, author),
		SecondChannel: here.Channel("random", false, author),
		Roles: map[string]string{
			"author":   authorToken,
			"reader":   readerToken,
			"peer":     peerToken,
			"stranger": strangerToken,
			"outsider": outsiderToken,
			"expired":  here.Token(messaging.Credential{AgentID: reader, ExpiresAt: time.Now().Add(-time.Hour)}),
			"revoked":  here.Token(messaging.Credential{AgentID: reader, IsRevoked: true}),
			"api_key":  keyToken,
			"machine":  here.Token(messaging.Credential{MachineID: laptop.ID, ExpiresAt: time.Now().Add(24 * time.Hour)}),
		},
		Without: map[string]string{"human": botToken, "machine": cloudToken},
		Sharing: map[string]string{"human": tabletToken, "machine": guestToken},
	}
	for index := range input.Agents {
		_, token := here.Agent(fmt.Sprintf("agent %d", index+1), nobody, nowhere, true)
		made.Agents = append(made.Agents, token)
	}
	for index := range input.Channels {
		made.Channels = append(made.Channels, here.Channel(fmt.Sprintf("more-%d", index+1), false, author))
	}
	for index := range input.Members {
		here.Human(fmt.Sprintf("Member %d", index+1))
		made.Members++
	}
	return made, server.Store.Found(here, elsewhere)
}
