package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// operator does for whoever runs the server what no client may: POST /{hook} with a JSON object.
type operator struct{ app *app }

type hook func(input json.RawMessage) (any, error)

func (o *operator) handler() http.Handler {
	hooks := map[string]hook{
		"provision":  o.provision,
		"revoke":     o.revoke,
		"expire":     o.expire,
		"rename":     o.rename,
		"deactivate": o.deactivate,
		"file":       o.file,
		"restart":    func(json.RawMessage) (any, error) { return struct{}{}, o.app.restart() },
		"limit":      o.limit,
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{hook}", serve(func(w http.ResponseWriter, r *http.Request) (answer, error) {
		hook, isThere := hooks[r.PathValue("hook")]
		if !isThere {
			return answer{}, &refusal{http.StatusNotFound, "not_found", "there is no such hook"}
		}
		body, err := readBody(w, r)
		if err != nil {
			return answer{}, err
		}
		output, err := o.call(r.PathValue("hook"), hook, body)
		return answer{http.StatusOK, output}, err
	}))
	return mux
}

// call keeps the other hooks out while the server starts again.
func (o *operator) call(name string, hook hook, input []byte) (any, error) {
	if name == "restart" {
		o.app.mu.Lock()
		defer o.app.mu.Unlock()
	} else {
		o.app.mu.RLock()
		defer o.app.mu.RUnlock()
	}
	return hook(input)
}

// change decodes the input of a hook and commits what it makes of it.
func change[Input any](o *operator, raw json.RawMessage, entries func(s *store, input Input) ([]entry, error)) (any, error) {
	var input Input
	if err := json.Unmarshal(raw, &input); err != nil {
		return nil, invalid("%v", err)
	}
	s := o.app.api.store
	s.mu.Lock()
	defer s.mu.Unlock()
	made, err := entries(s, input)
	if err != nil {
		return nil, err
	}
	return struct{}{}, s.commit(made...)
}

type tokenInput struct{ Token string }

func (o *operator) revoke(raw json.RawMessage) (any, error) {
	return o.withdraw(raw, func(c *Credential) { c.IsRevoked = true })
}

func (o *operator) expire(raw json.RawMessage) (any, error) {
	return o.withdraw(raw, func(c *Credential) { c.ExpiresAt = time.Now().Add(-time.Second) })
}

func (o *operator) withdraw(raw json.RawMessage, how func(*Credential)) (any, error) {
	return change(o, raw, func(s *store, input tokenInput) ([]entry, error) {
		credential, isThere := s.credentials[digestOf(input.Token)]
		if !isThere {
			return nil, invalid("there is no such token")
		}
		how(&credential)
		return []entry{{Credential: &credential}}, nil
	})
}

type renameInput struct {
	Kind        string
	ID          string
	DisplayName string `json:"display_name"`
}

func (o *operator) rename(raw json.RawMessage) (any, error) {
	return change(o, raw, func(s *store, input renameInput) ([]entry, error) {
		if !s.isThere(input.Kind, input.ID) {
			return nil, invalid("there is no %s %s", input.Kind, input.ID)
		}
		switch input.Kind {
		case "agent":
			agent := s.agents[input.ID]
			agent.Name = input.DisplayName
			return []entry{{Agent: &agent}}, nil
		case "user":
			human := s.humans[input.ID]
			human.Name, human.UpdatedAt = input.DisplayName, time.Now().UTC()
			return []entry{{Human: &human}}, nil
		default:
			machine := s.machines[input.ID]
			machine.Name = input.DisplayName
			return []entry{{Machine: &machine}}, nil
		}
	})
}

func (s *store) isThere(kind, id string) bool {
	_, isAgent := s.agents[id]
	_, isHuman := s.humans[id]
	_, isMachine := s.machines[id]
	return (kind == "agent" && isAgent) || (kind == "user" && isHuman) || (kind == "machine" && isMachine)
}

type deactivateInput struct {
	Kind        string
	AgentID     string `json:"agent_id"`
	MachineID   string `json:"machine_id"`
	HumanUserID string `json:"human_user_id"`
	Active      bool
}

func (o *operator) deactivate(raw json.RawMessage) (any, error) {
	return change(o, raw, func(s *store, input deactivateInput) ([]entry, error) {
		kinds := map[string]string{"access": "agent", "machine": "machine", "membership": "user"}
		id := input.AgentID + input.MachineID + input.HumanUserID
		if !s.isThere(kinds[input.Kind], id) {
			return nil, invalid("%s: there is no %s", input.Kind, id)
		}
		switch input.Kind {
		case "access":
			agent := s.agents[id]
			agent.HasAccess = input.Active
			return []entry{{Agent: &agent}}, nil
		case "machine":
			machine := s.machines[id]
			machine.IsActive = input.Active
			return []entry{{Machine: &machine}}, nil
		default:
			human := s.humans[id]
			human.IsActive, human.UpdatedAt = input.Active, time.Now().UTC()
			return []entry{{Human: &human}}, nil
		}
	})
}

type fileInput struct {
	Action        string
	ID            string
	Filename      string
	ContentType   string `json:"content_type"`
	ContentBase64 string `json:"content_base64"`
	AgentToken    string `json:"agent_token"`
}

func (o *operator) file(raw json.RawMessage) (any, error) {
	output := map[string]string{}
	_, err := change(o, raw, func(s *store, input fileInput) ([]entry, error) {
		if input.Action == "delete" {
			file, isThere := s.files[input.ID]
			if !isThere {
				return nil, invalid("there is no file %s", input.ID)
			}
			file.Status = "deleted"
			return []entry{{File: &file}}, nil
		}
		agent, isThere := s.agents[s.credentials[digestOf(input.AgentToken)].AgentID]
		if !isThere {
			return nil, invalid("agent_token is not the token of an agent")
		}
		content, err := base64.StdEncoding.DecodeString(input.ContentBase64)
		if err != nil || len(content) == 0 {
			return nil, invalid("content_base64 has to be one byte or more in base64")
		}
		now := time.Now().UTC()
		file := File{
			ID:               newID(),
			WorkspaceID:      agent.WorkspaceID,
			Filename:         input.Filename,
			ContentType:      input.ContentType,
			SizeBytes:        len(content),
			SHA256:           digestOf(string(content)),
			Status:           "ready",
			CreatedAt:        now,
			UploadedAt:       &now,
			CreatedByAgentID: &agent.ID,
		}
		if agent.HumanID != "" {
			file.CreatedByHumanUserID = &agent.HumanID
		}
		output["id"] = file.ID
		return []entry{{File: &file, Bytes: content}}, nil
	})
	return output, err
}

func (o *operator) limit(raw json.RawMessage) (any, error) {
	var input struct {
		Token     string
		PerSecond float64 `json:"per_second"`
	}
	if err := json.Unmarshal(raw, &input); err != nil {
		return nil, invalid("%v", err)
	}
	o.app.api.limits.set(digestOf(input.Token), input.PerSecond)
	return struct{}{}, nil
}

// provisioned is a fresh workspace in the words of a target file.
type provisioned struct {
	Workspace     string            `json:"workspace"`
	Channel       string            `json:"channel"`
	SecondChannel string            `json:"second_channel"`
	Roles         map[string]string `json:"roles"`
	Agents        []string          `json:"agents,omitempty"`
	Without       map[string]string `json:"without"`
}

func (o *operator) provision(raw json.RawMessage) (any, error) {
	var output provisioned
	_, err := change(o, raw, func(_ *store, input struct{ Agents int }) (entries []entry, _ error) {
		entries, output = freshWorkspace(input.Agents)
		return entries, nil
	})
	return output, err
}

// founding gathers the entries that make up a new workspace.
type founding struct {
	workspace string
	entries   []entry
}

func (f *founding) human(name string) Human {
	now := time.Now().UTC()
	human := Human{
		ID:           newID(),
		WorkspaceID:  f.workspace,
		MembershipID: newID(),
		Name:         name,
		Email:        strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@example.com",
		Role:         "owner",
		IsActive:     true,
		JoinedAt:     now,
		UpdatedAt:    now,
	}
	f.entries = append(f.entries, entry{Human: &human})
	return human
}

func (f *founding) machine(name string, human Human) Machine {
	machine := Machine{ID: newID(), WorkspaceID: f.workspace, HumanID: human.ID, Name: name, IsActive: true}
	f.entries = append(f.entries, entry{Machine: &machine})
	return machine
}

// agent is a new agent with its token.
func (f *founding) agent(name string, human Human, machine Machine, hasAccess bool) (id, token string) {
	agent := Agent{newID(), f.workspace, name, human.ID, machine.ID, hasAccess}
	f.entries = append(f.entries, entry{Agent: &agent})
	return agent.ID, f.token(Credential{AgentID: agent.ID})
}

func (f *founding) token(credential Credential) string {
	token := newToken()
	credential.Digest = digestOf(token)
	f.entries = append(f.entries, entry{Credential: &credential})
	return token
}

func (f *founding) channel(slug string, isDefault bool, agentID string) string {
	now := time.Now().UTC()
	channel := Channel{newID(), f.workspace, slug, "#" + slug, "", "shared", isDefault, now, now, agentID}
	f.entries = append(f.entries, entry{Channel: &channel})
	return channel.ID
}

func found(name string) *founding {
	now := time.Now().UTC()
	id := newID()
	workspace := Workspace{id, name + "-" + id[:8], name, "", now, now}
	return &founding{id, []entry{{Workspace: &workspace}}}
}

func freshWorkspace(agents int) ([]entry, provisioned) {
	here, elsewhere := found("here"), found("elsewhere")
	ada, grace := here.human("Ada Lovelace"), here.human("Grace Hopper")
	desk, laptop := here.machine("desk", ada), here.machine("laptop", grace)
	author, authorToken := here.agent("author", ada, desk, true)
	reader, readerToken := here.agent("reader", grace, laptop, true)
	_, peerToken := here.agent("peer", grace, laptop, true)
	_, outsiderToken := here.agent("outsider", Human{}, Machine{}, false)
	_, keyToken := here.agent("api key", ada, Machine{}, true)
	stranger, strangerToken := elsewhere.agent("stranger", elsewhere.human("Alan Turing"), Machine{}, true)
	elsewhere.channel("general", true, stranger)
	_, botToken := here.agent("bot", Human{}, desk, true)
	_, cloudToken := here.agent("cloud", ada, Machine{}, true)
	output := provisioned{
		Workspace:     here.workspace,
		Channel:       here.channel("general", true, author),
		SecondChannel: here.channel("random", false, author),
		Roles: map[string]string{
			"author":   authorToken,
			"reader":   readerToken,
			"peer":     peerToken,
			"stranger": strangerToken,
			"outsider": outsiderToken,
			"expired":  here.token(Credential{AgentID: reader, ExpiresAt: time.Now().Add(-time.Hour)}),
			"revoked":  here.token(Credential{AgentID: reader, IsRevoked: true}),
			"api_key":  keyToken,
			"machine":  here.token(Credential{MachineID: laptop.ID, ExpiresAt: time.Now().Add(24 * time.Hour)}),
		},
		Without: map[string]string{"human": botToken, "machine": cloudToken},
	}
	for index := range agents {
		_, token := here.agent(fmt.Sprintf("agent %d", index+1), Human{}, Machine{}, true)
		output.Agents = append(output.Agents, token)
	}
	return append(here.entries, elsewhere.entries...), output
}
