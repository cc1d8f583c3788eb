package messaging

import (
	"strings"
	"time"
)

// How workspaces, people, machines, agents, channels and tokens come about and change. No call of the contract does that:
// all of this is reached from undertest alone, until your sign-up, your administration or your import calls it.

// Founding gathers a new workspace, so that the journal has all of it or nothing.
type Founding struct {
	WorkspaceID string
	entries     []entry
}

// NewWorkspace is a workspace in which nobody is.
func NewWorkspace(name string) *Founding {
	now := time.Now().UTC()
	id := newID()
	workspace := Workspace{id, name + "-" + id[:8], name, "", now, now}
	return &Founding{id, []entry{{Workspace: &workspace}}}
}

// Human adds a person.
func (f *Founding) Human(name string) Human {
	now := time.Now().UTC()
	human := Human{
		ID:           newID(),
		WorkspaceID:  f.WorkspaceID,
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

// Machine adds a machine of a person.
func (f *Founding) Machine(name string, human Human) Machine {
	machine := Machine{ID: newID(), WorkspaceID: f.WorkspaceID, HumanID: human.ID, Name: name, IsActive: true}
	f.entries = append(f.entries, entry{Machine: &machine})
	return machine
}

// Agent adds an agent and its token; of nobody and no machine where those have no id.
func (f *Founding) Agent(name string, human Human, machine Machine, hasAccess bool) (id, token string) {
	agent := Agent{newID(), f.WorkspaceID, name, human.ID, machine.ID, hasAccess}
	f.entries = append(f.entries, entry{Agent: &agent})
	return agent.ID, f.Token(Credential{AgentID: agent.ID})
}

// Token is given out here and never again: the store keeps its digest.
func (f *Founding) Token(credential Credential) string {
	token := newToken()
	credential.Digest = digestOf(token)
	f.entries = append(f.entries, entry{Credential: &credential})
	return token
}

// Channel adds a channel, and says its id.
func (f *Founding) Channel(slug string, isDefault bool, agentID string) string {
	now := time.Now().UTC()
	channel := Channel{newID(), f.WorkspaceID, slug, "#" + slug, "", "shared", isDefault, now, now, agentID}
	f.entries = append(f.entries, entry{Channel: &channel})
	return channel.ID
}

// Found makes new workspaces exist.
func (s *Store) Found(workspaces ...*Founding) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var entries []entry
	for _, each := range workspaces {
		entries = append(entries, each.entries...)
	}
	return s.commit(entries...)
}

// Revoke makes a token invalid.
func (s *Store) Revoke(token string) error {
	return update(s, s.credentials, digestOf(token), func(c *Credential) entry {
		c.IsRevoked = true
		return entry{Credential: c}
	})
}

// Expire makes a token end now.
func (s *Store) Expire(token string) error {
	return update(s, s.credentials, digestOf(token), func(c *Credential) entry {
		c.ExpiresAt = time.Now().Add(-time.Second)
		return entry{Credential: c}
	})
}

// Rename changes the name of an agent, a user or a machine. Messages that are there keep the name that they captured.
func (s *Store) Rename(target Target, name string) error {
	switch target.Kind {
	case "agent":
		return update(s, s.agents, target.ID, func(a *Agent) entry {
			a.Name = name
			return entry{Agent: a}
		})
	case "user":
		return update(s, s.humans, target.ID, func(h *Human) entry {
			h.Name, h.UpdatedAt = name, time.Now().UTC()
			return entry{Human: h}
		})
	default:
		return update(s, s.machines, target.ID, func(m *Machine) entry {
			m.Name = name
			return entry{Machine: m}
		})
	}
}

// GiveAccess gives an agent its workspace, or takes it away.
func (s *Store) GiveAccess(agentID string, hasAccess bool) error {
	return update(s, s.agents, agentID, func(a *Agent) entry {
		a.HasAccess = hasAccess
		return entry{Agent: a}
	})
}

// ActivateMachine begins or ends the life of a machine profile.
func (s *Store) ActivateMachine(id string, isActive bool) error {
	return update(s, s.machines, id, func(m *Machine) entry {
		m.IsActive = isActive
		return entry{Machine: m}
	})
}

// ActivateMembership begins or ends the membership of a person.
func (s *Store) ActivateMembership(humanID string, isActive bool) error {
	return update(s, s.humans, humanID, func(h *Human) entry {
		h.IsActive, h.UpdatedAt = isActive, time.Now().UTC()
		return entry{Human: h}
	})
}

// AddFile adds a file of the agent of a token, and says its id. There is no call to upload one yet.
func (s *Store) AddFile(agentToken, filename, contentType string, content []byte) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	agent, isThere := s.agents[s.credentials[digestOf(agentToken)].AgentID]
	if !isThere || len(content) == 0 {
		return "", invalid("a file needs an agent and a content")
	}
	now := time.Now().UTC()
	file := File{
		ID:               newID(),
		WorkspaceID:      agent.WorkspaceID,
		Filename:         filename,
		ContentType:      contentType,
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
	return file.ID, s.commit(entry{File: &file, Bytes: content})
}

// DeleteFile makes a file one that cannot be downloaded. Its metadata stays with the messages that it is attached to.
func (s *Store) DeleteFile(id string) error {
	return update(s, s.files, id, func(f *File) entry {
		f.Status = "deleted"
		return entry{File: f}
	})
}

// update commits a changed copy of what is known under an id.
func update[Record any](s *Store, known map[string]Record, id string, change func(*Record) entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	record, isThere := known[id]
	if !isThere {
		return invalid("there is no %T %s", record, id)
	}
	return s.commit(change(&record))
}
