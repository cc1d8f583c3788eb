package messaging

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

// credential is what the bearer token of a request stands for, within its rate.
func (c *calls) credential(r *http.Request) (Credential, error) {
	unauthorized := &refusal{http.StatusUnauthorized, "unauthorized", "a valid bearer token is needed"}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return Credential{}, unauthorized
	}
	digest := digestOf(token)
	c.store.mu.RLock()
	found, isKnown := c.store.credentials[digest]
	c.store.mu.RUnlock()
	if !isKnown || found.IsRevoked || (!found.ExpiresAt.IsZero() && time.Now().After(found.ExpiresAt)) {
		return Credential{}, unauthorized
	}
	if !c.limits.allow(digest) {
		return Credential{}, &refusal{http.StatusTooManyRequests, "rate_limited", "too many requests with this token"}
	}
	return found, nil
}

type agentCall func(w http.ResponseWriter, r *http.Request, agent Agent) (answer, error)

// withAgent lets those in whose token is an agent's, and who belong to their workspace now.
func (c *calls) withAgent(call agentCall) call {
	return func(w http.ResponseWriter, r *http.Request) (answer, error) {
		credential, err := c.credential(r)
		if err != nil {
			return answer{}, err
		}
		c.store.mu.RLock()
		agent, isAgent := c.store.agents[credential.AgentID]
		human, hasHuman := c.store.humans[agent.HumanID]
		c.store.mu.RUnlock()
		if !isAgent || !agent.HasAccess || (hasHuman && !human.IsActive) {
			return answer{}, forbidden("this token has no access to a workspace")
		}
		return call(w, r, agent)
	}
}

// channel is the id of the channel in the path, when the agent may use it.
func (c *calls) channel(r *http.Request, agent Agent) (string, error) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	channel, isThere := c.store.channels[strings.ToLower(r.PathValue("channel"))]
	if !isThere || channel.WorkspaceID != agent.WorkspaceID {
		return "", forbidden("there is no such channel in the workspace of this agent")
	}
	return channel.ID, nil
}

// file is the file in the path, when it is in the workspace of the agent.
func (c *calls) file(r *http.Request, agent Agent) (File, []byte, error) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	file, isThere := c.store.files[strings.ToLower(r.PathValue("file"))]
	if !isThere || file.WorkspaceID != agent.WorkspaceID {
		return File{}, nil, &refusal{http.StatusNotFound, "not_found", "there is no such file"}
	}
	return file, c.store.bytes[file.ID], nil
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
