package main

import (
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	defaultLimit = 50
	maxLimit     = 100
	maxWait      = 30
)

// api answers the calls of the contract from a store.
type api struct {
	store  *store
	limits *limits
	// Closed when the server is about to stop, so that nobody is left waiting.
	stopping <-chan struct{}
}

// answer is what a call comes to; a refusal comes as an error.
type answer struct {
	status int
	body   any
}

type call func(w http.ResponseWriter, r *http.Request) (answer, error)

func (a *api) handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, call := range map[string]call{
		"GET /health":                          a.health,
		"GET /capabilities":                    a.capabilities,
		"GET /v0/channels":                     a.withAgent(a.listChannels),
		"GET /v0/mentions":                     a.withAgent(a.listMentions),
		"GET /v0/channels/{channel}/messages":  a.withAgent(a.readChannel),
		"POST /v0/channels/{channel}/messages": a.withAgent(a.send),
		"GET /v0/channels/{channel}/receipts":  a.withAgent(a.listReceipts),
		"GET /v0/files/{file}":                 a.withAgent(a.showFile),
		"GET /v0/files/{file}/content":         a.withAgent(a.download),
		"GET /v1/human/workspaces/{workspace}": a.overview,
	} {
		mux.HandleFunc(pattern, serve(call))
	}
	return mux
}

func serve(call call) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		result, err := call(w, r)
		var refused *refusal
		switch {
		case errors.As(err, &refused):
			writeRefusal(w, refused)
		case err != nil:
			slog.Error("call failed", "path", r.URL.Path, "error", err)
			writeRefusal(w, &refusal{http.StatusInternalServerError, "internal", "the call failed"})
		case result.body != nil:
			writeJSON(w, result.status, result.body)
		}
	}
}

func writeRefusal(w http.ResponseWriter, r *refusal) {
	switch r.status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="messaging"`)
	case http.StatusTooManyRequests:
		w.Header().Set("Retry-After", "1")
	}
	writeJSON(w, r.status, map[string]any{"error": map[string]string{"code": r.code, "message": r.message}})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// Whoever hung up does not hear that it failed.
	_ = json.NewEncoder(w).Encode(body)
}

// credential is what the bearer token of a request stands for, within its rate.
func (a *api) credential(r *http.Request) (Credential, error) {
	unauthorized := &refusal{http.StatusUnauthorized, "unauthorized", "a valid bearer token is needed"}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return Credential{}, unauthorized
	}
	digest := digestOf(token)
	a.store.mu.RLock()
	found, isKnown := a.store.credentials[digest]
	a.store.mu.RUnlock()
	if !isKnown || found.IsRevoked || (!found.ExpiresAt.IsZero() && time.Now().After(found.ExpiresAt)) {
		return Credential{}, unauthorized
	}
	if !a.limits.allow(digest) {
		return Credential{}, &refusal{http.StatusTooManyRequests, "rate_limited", "too many requests with this token"}
	}
	return found, nil
}

type agentCall func(w http.ResponseWriter, r *http.Request, agent Agent) (answer, error)

// withAgent lets those in whose token is an agent's, and who belong to their workspace now.
func (a *api) withAgent(call agentCall) call {
	return func(w http.ResponseWriter, r *http.Request) (answer, error) {
		credential, err := a.credential(r)
		if err != nil {
			return answer{}, err
		}
		a.store.mu.RLock()
		agent, isAgent := a.store.agents[credential.AgentID]
		human, hasHuman := a.store.humans[agent.HumanID]
		a.store.mu.RUnlock()
		if !isAgent || !agent.HasAccess || (hasHuman && !human.IsActive) {
			return answer{}, forbidden("this token has no access to a workspace")
		}
		return call(w, r, agent)
	}
}

func forbidden(message string) error {
	return &refusal{http.StatusForbidden, "forbidden", message}
}

func (a *api) health(http.ResponseWriter, *http.Request) (answer, error) {
	return answer{http.StatusOK, map[string]string{"status": "ok"}}, nil
}

func (a *api) capabilities(http.ResponseWriter, *http.Request) (answer, error) {
	calls := []string{"mentions", "messages", "files", "overview"}
	return answer{http.StatusOK, map[string]any{"version": "0.1.0-preview", "capabilities": calls}}, nil
}

func (a *api) listChannels(_ http.ResponseWriter, _ *http.Request, agent Agent) (answer, error) {
	a.store.mu.RLock()
	defer a.store.mu.RUnlock()
	return answer{http.StatusOK, map[string]any{"channels": a.store.channelsOf(agent.WorkspaceID)}}, nil
}

// channelsOf are the channels of a workspace. The caller holds the lock.
func (s *store) channelsOf(workspaceID string) []Channel {
	channels := []Channel{}
	for _, log := range s.workspaces[workspaceID].channels {
		channels = append(channels, log.Channel)
	}
	return channels
}

func (a *api) listMentions(w http.ResponseWriter, r *http.Request, agent Agent) (answer, error) {
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
	mentions, page := a.store.mentions(agent, after, limitOf(limit))
	w.Header().Set("X-Service-Agent-ID", agent.ID)
	return answer{http.StatusOK, map[string]any{"mentions": mentions, "page": page}}, nil
}

func limitOf(given *int64) int {
	if given == nil {
		return defaultLimit
	}
	return int(min(*given, maxLimit))
}

// channel is the id of the channel in the path, when the agent may use it.
func (a *api) channel(r *http.Request, agent Agent) (string, error) {
	a.store.mu.RLock()
	defer a.store.mu.RUnlock()
	channel, isThere := a.store.channels[strings.ToLower(r.PathValue("channel"))]
	if !isThere || channel.WorkspaceID != agent.WorkspaceID {
		return "", forbidden("there is no such channel in the workspace of this agent")
	}
	return channel.ID, nil
}

func (a *api) send(w http.ResponseWriter, r *http.Request, agent Agent) (answer, error) {
	channelID, err := a.channel(r, agent)
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
	message, isNew, err := a.store.send(agent.ID, channelID, d)
	status := http.StatusOK
	if isNew {
		status = http.StatusCreated
	}
	return answer{status, map[string]any{"message": message}}, err
}

// readChannel takes any limit and any wait, and keeps within its own.
func (a *api) readChannel(_ http.ResponseWriter, r *http.Request, agent Agent) (answer, error) {
	channelID, err := a.channel(r, agent)
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
		messages, page, changed := a.store.read(channelID, numbers["after"], limit)
		if len(messages) == 0 && numbers["wait"] > 0 {
			select {
			case <-changed:
				continue
			case <-deadline:
			case <-a.stopping:
			case <-r.Context().Done():
			}
		}
		return answer{http.StatusOK, map[string]any{"messages": messages, "page": page}}, nil
	}
}

// listReceipts says that this server keeps none, as its messages do.
func (a *api) listReceipts(http.ResponseWriter, *http.Request, Agent) (answer, error) {
	return answer{}, &refusal{http.StatusNotFound, "not_found", "this server keeps no receipts"}
}

// file is the file in the path, when it is in the workspace of the agent.
func (a *api) file(r *http.Request, agent Agent) (File, []byte, error) {
	a.store.mu.RLock()
	defer a.store.mu.RUnlock()
	file, isThere := a.store.files[strings.ToLower(r.PathValue("file"))]
	if !isThere || file.WorkspaceID != agent.WorkspaceID {
		return File{}, nil, &refusal{http.StatusNotFound, "not_found", "there is no such file"}
	}
	return file, a.store.bytes[file.ID], nil
}

func (a *api) showFile(_ http.ResponseWriter, r *http.Request, agent Agent) (answer, error) {
	file, _, err := a.file(r, agent)
	return answer{http.StatusOK, file}, err
}

func (a *api) download(w http.ResponseWriter, r *http.Request, agent Agent) (answer, error) {
	file, content, err := a.file(r, agent)
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

// overview shows a machine its own workspace, as long as the machine and the membership of its human are active.
func (a *api) overview(_ http.ResponseWriter, r *http.Request) (answer, error) {
	credential, err := a.credential(r)
	if err != nil {
		return answer{}, err
	}
	s := a.store
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

func membershipOf(human Human) map[string]any {
	return map[string]any{
		"id":            human.MembershipID,
		"workspace_id":  human.WorkspaceID,
		"human_user_id": human.ID,
		"role":          human.Role,
		"status":        "active",
		"joined_at":     human.JoinedAt,
		"created_at":    human.JoinedAt,
		"updated_at":    human.UpdatedAt,
	}
}

func memberOf(human Human) map[string]any {
	first, last, _ := strings.Cut(human.Name, " ")
	return map[string]any{
		"id":         human.ID,
		"email":      human.Email,
		"first_name": first,
		"last_name":  last,
		"role":       human.Role,
		"status":     "active",
		"joined_at":  human.JoinedAt,
		"updated_at": human.UpdatedAt,
	}
}

// limits are token buckets of the credentials that have one.
type limits struct {
	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	perSecond float64
	tokens    float64
	at        time.Time
}

// set lets a credential make so many requests a second; 0 lifts the limit.
func (l *limits) set(digest string, perSecond float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.buckets, digest)
	if perSecond > 0 {
		l.buckets[digest] = &bucket{perSecond, max(1, perSecond), time.Now()}
	}
}

func (l *limits) allow(digest string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, isLimited := l.buckets[digest]
	if !isLimited {
		return true
	}
	now := time.Now()
	b.tokens = min(max(1, b.perSecond), b.tokens+b.perSecond*now.Sub(b.at).Seconds())
	b.at = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
