package messaging

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	defaultLimit = 50
	maxLimit     = 100
	maxWait      = 30 // seconds
)

// calls are those of the contract, in its order: each reads the request, asks the store, and answers.
type calls struct {
	store  *Store
	limits *limits
	// Closed when the server is about to stop, so that nobody is left waiting.
	stopping <-chan struct{}
}

func (c *calls) handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, call := range map[string]call{
		"GET /health":                          c.health,
		"GET /capabilities":                    c.capabilities,
		"GET /v0/mentions":                     c.withAgent(c.listMentions),
		"GET /v1/human/workspaces/{workspace}": c.overview,
		"GET /v0/channels":                     c.withAgent(c.listChannels),
		"POST /v0/channels/{channel}/messages": c.withAgent(c.send),
		"GET /v0/channels/{channel}/messages":  c.withAgent(c.readChannel),
		"GET /v0/channels/{channel}/receipts":  c.withAgent(c.listReceipts),
		"GET /v0/files/{file}":                 c.withAgent(c.showFile),
		"GET /v0/files/{file}/content":         c.withAgent(c.download),
	} {
		mux.HandleFunc(pattern, serve(call))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// What is no call is refused in the form of every other refusal.
		if _, pattern := mux.Handler(r); pattern == "" {
			writeRefusal(w, noCall(mux, r))
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func noCall(mux *http.ServeMux, r *http.Request) *refusal {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); pattern != "" {
			return &refusal{http.StatusMethodNotAllowed, "method_not_allowed", "the path has no such method"}
		}
	}
	return &refusal{http.StatusNotFound, "not_found", "there is no such call"}
}

func (c *calls) health(http.ResponseWriter, *http.Request) (answer, error) {
	return answer{http.StatusOK, map[string]string{"status": "ok"}}, nil
}

func (c *calls) capabilities(http.ResponseWriter, *http.Request) (answer, error) {
	calls := []string{"mentions", "messages", "files", "overview"}
	return answer{http.StatusOK, map[string]any{"version": "0.1.0-preview", "capabilities": calls}}, nil
}

func (c *calls) listMentions(w http.ResponseWriter, r *http.Request, agent Agent) (answer, error) {
	query := r.URL.Query()
	for name := range query {
		if name != "after" && name != "limit" {
			return answer{}, invalid("there is no parameter %q", name)
		}
	}
	after, err := number(query, "after", 0, math.MaxInt64)
	if err != nil {
		return answer{}, err
	}
	limit, err := number(query, "limit", 1, maxLimit)
	if err != nil {
		return answer{}, err
	}
	mentions, page := c.store.mentions(agent, after, limitOf(limit))
	w.Header().Set("X-Service-Agent-ID", agent.ID)
	return answer{http.StatusOK, map[string]any{"mentions": mentions, "page": page}}, nil
}

func limitOf(given *int64) int {
	if given == nil {
		return defaultLimit
	}
	return int(min(*given, maxLimit))
}

// overview shows a machine its own workspace, as long as the machine and the membership of its human are active.
func (c *calls) overview(_ http.ResponseWriter, r *http.Request) (answer, error) {
	credential, err := c.credential(r)
	if err != nil {
		return answer{}, err
	}
	s := c.store
	s.mu.RLock()
	defer s.mu.RUnlock()
	machine, isMachine := s.machines[credential.MachineID]
	owner := s.humans[machine.HumanID]
	isOwn := strings.EqualFold(r.PathValue("workspace"), machine.WorkspaceID)
	if !isMachine || !isOwn || !machine.IsActive || !owner.IsActive {
		return answer{}, forbidden("this token has no access to that workspace")
	}
	workspace := s.workspaces[machine.WorkspaceID]
	members := []map[string]any{}
	for _, id := range workspace.humans {
		if human := s.humans[id]; human.IsActive {
			members = append(members, memberOf(human))
		}
	}
	return answer{http.StatusOK, map[string]any{
		"workspace":  workspace.Workspace,
		"membership": membershipOf(owner),
		"channels":   s.channelsOf(workspace.ID),
		"members":    members,
	}}, nil
}

func (c *calls) listChannels(_ http.ResponseWriter, _ *http.Request, agent Agent) (answer, error) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return answer{http.StatusOK, map[string]any{"channels": c.store.channelsOf(agent.WorkspaceID)}}, nil
}

func (c *calls) send(w http.ResponseWriter, r *http.Request, agent Agent) (answer, error) {
	channelID, err := c.channel(r, agent)
	if err != nil {
		return answer{}, err
	}
	key := r.Header.Get("Idempotency-Key")
	if key == "" || len(key) > 255 {
		return answer{}, invalid("the header Idempotency-Key takes 1 to 255 characters")
	}
	body, err := readBody(w, r)
	if err != nil {
		return answer{}, err
	}
	d, err := draftOf(body, key)
	if err != nil {
		return answer{}, err
	}
	message, isNew, err := c.store.send(agent.ID, channelID, d)
	status := http.StatusOK
	if isNew {
		status = http.StatusCreated
	}
	return answer{status, map[string]any{"message": message}}, err
}

// readChannel takes any limit and any wait, and keeps within its own.
func (c *calls) readChannel(_ http.ResponseWriter, r *http.Request, agent Agent) (answer, error) {
	channelID, err := c.channel(r, agent)
	if err != nil {
		return answer{}, err
	}
	numbers := map[string]int64{"after": 0, "limit": defaultLimit, "wait": 0}
	for name := range numbers {
		given, err := number(r.URL.Query(), name, 0, math.MaxInt64)
		if err != nil {
			return answer{}, err
		}
		if given != nil {
			numbers[name] = *given
		}
	}
	limit := int(min(max(numbers["limit"], 1), maxLimit))
	deadline := time.After(time.Duration(min(numbers["wait"], maxWait)) * time.Second)
	for {
		messages, page, changed := c.store.read(channelID, numbers["after"], limit)
		if len(messages) == 0 && numbers["wait"] > 0 {
			select {
			case <-changed:
				continue
			case <-deadline:
			case <-c.stopping:
			case <-r.Context().Done():
			}
		}
		return answer{http.StatusOK, map[string]any{"messages": messages, "page": page}}, nil
	}
}

// listReceipts says that this server keeps none, as its messages do.
func (c *calls) listReceipts(http.ResponseWriter, *http.Request, Agent) (answer, error) {
	return answer{}, &refusal{http.StatusNotFound, "not_found", "this server keeps no receipts"}
}

func (c *calls) showFile(_ http.ResponseWriter, r *http.Request, agent Agent) (answer, error) {
	file, _, err := c.file(r, agent)
	return answer{http.StatusOK, file}, err
}

func (c *calls) download(w http.ResponseWriter, r *http.Request, agent Agent) (answer, error) {
	file, content, err := c.file(r, agent)
	if err != nil {
		return answer{}, err
	}
	if file.Status != "ready" {
		return answer{}, &refusal{http.StatusGone, "gone", "the file is " + file.Status}
	}
	w.Header().Set("Content-Type", file.ContentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	_, err = w.Write(content)
	return answer{}, err
}
