package messaging

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// stored is a message as the journal keeps it: files by id, since their status changes, and the record of its key.
type stored struct {
	Message
	Event      int64
	FileIDs    []string
	Key        string
	BodyDigest string
}

// entry is one line of the journal: each field that is there replaces what was known under its id.
type entry struct {
	Workspace  *Workspace  `json:",omitempty"`
	Channel    *Channel    `json:",omitempty"`
	Human      *Human      `json:",omitempty"`
	Machine    *Machine    `json:",omitempty"`
	Agent      *Agent      `json:",omitempty"`
	Credential *Credential `json:",omitempty"`
	File       *File       `json:",omitempty"`
	Bytes      []byte      `json:",omitempty"`
	Message    *stored     `json:",omitempty"`
}

type channelLog struct {
	Channel
	messages []*stored
	counter
	// Closed and replaced with each message: whoever waits holds the one that was there.
	changed chan struct{}
}

type workspaceLog struct {
	Workspace
	channels []*channelLog
	humans   []string
	mentions []*stored
	counter
}

// counter gives out ascending numbers. One that was taken for a send that is then refused is lost.
type counter struct {
	taken     int64
	watermark int64
}

func (c *counter) next() int64 {
	c.taken++
	return c.taken
}

func (c *counter) used(number int64) {
	c.taken = max(c.taken, number)
	c.watermark = max(c.watermark, number)
}

// Store holds everything in memory and appends each change to a journal before it takes effect.
type Store struct {
	mu          sync.RWMutex
	journal     *os.File
	workspaces  map[string]*workspaceLog
	channels    map[string]*channelLog
	humans      map[string]Human
	machines    map[string]Machine
	agents      map[string]Agent
	credentials map[string]Credential
	files       map[string]File
	bytes       map[string][]byte
	byKey       map[string]*stored
}

func openStore(path string) (*Store, error) {
	journal, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	s := &Store{
		journal:     journal,
		workspaces:  map[string]*workspaceLog{},
		channels:    map[string]*channelLog{},
		humans:      map[string]Human{},
		machines:    map[string]Machine{},
		agents:      map[string]Agent{},
		credentials: map[string]Credential{},
		files:       map[string]File{},
		bytes:       map[string][]byte{},
		byKey:       map[string]*stored{},
	}
	if err := s.replay(); err != nil {
		journal.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// replay applies every whole line and cuts off a last one that a crash left unfinished.
func (s *Store) replay() error {
	lines := bufio.NewReader(s.journal)
	var whole int64
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		var entries []entry
		if err := json.Unmarshal(line, &entries); err != nil {
			return fmt.Errorf("the line at byte %d: %w", whole, err)
		}
		for _, each := range entries {
			s.apply(each)
		}
		whole += int64(len(line))
	}
	if err := s.journal.Truncate(whole); err != nil {
		return err
	}
	_, err := s.journal.Seek(whole, io.SeekStart)
	return err
}

func (s *Store) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.Close()
}

// commit writes the entries as one line, then applies them. The caller holds the lock.
func (s *Store) commit(entries ...entry) error {
	line, err := json.Marshal(entries)
	if err != nil {
		return err
	}
	if _, err := s.journal.Write(append(line, '\n')); err != nil {
		return err
	}
	for _, each := range entries {
		s.apply(each)
	}
	return nil
}

func (s *Store) apply(e entry) {
	switch {
	case e.Workspace != nil:
		s.workspaces[e.Workspace.ID] = &workspaceLog{Workspace: *e.Workspace}
	case e.Channel != nil:
		log := &channelLog{Channel: *e.Channel, changed: make(chan struct{})}
		s.channels[log.ID] = log
		workspace := s.workspaces[log.WorkspaceID]
		workspace.channels = append(workspace.channels, log)
	case e.Human != nil:
		if _, isKnown := s.humans[e.Human.ID]; !isKnown {
			workspace := s.workspaces[e.Human.WorkspaceID]
			workspace.humans = append(workspace.humans, e.Human.ID)
		}
		s.humans[e.Human.ID] = *e.Human
	case e.Machine != nil:
		s.machines[e.Machine.ID] = *e.Machine
	case e.Agent != nil:
		s.agents[e.Agent.ID] = *e.Agent
	case e.Credential != nil:
		s.credentials[e.Credential.Digest] = *e.Credential
	case e.File != nil:
		s.files[e.File.ID] = *e.File
		if e.Bytes != nil {
			s.bytes[e.File.ID] = e.Bytes
		}
	case e.Message != nil:
		s.applyMessage(e.Message)
	}
}

func (s *Store) applyMessage(m *stored) {
	channel, workspace := s.channels[m.ChannelID], s.workspaces[m.WorkspaceID]
	channel.messages = append(channel.messages, m)
	channel.used(m.Sequence)
	workspace.used(m.Event)
	if len(m.Mentions) > 0 {
		workspace.mentions = append(workspace.mentions, m)
	}
	s.byKey[m.Key] = m
	close(channel.changed)
	channel.changed = make(chan struct{})
}

// send appends a message, or finds the one that the same key has sent. Numbers are taken first, and are lost when the
// send is refused.
func (s *Store) send(agentID, channelID string, d draft) (m Message, isNew bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	agent := s.agents[agentID]
	channel := s.channels[channelID]
	workspace := s.workspaces[channel.WorkspaceID]
	key := agentID + " " + channelID + " " + d.key
	if earlier, isKnown := s.byKey[key]; isKnown {
		if earlier.BodyDigest != d.bodyDigest {
			return m, false, conflict("the idempotency key has sent something else")
		}
		return s.shown(earlier), false, nil
	}
	sequence, event := channel.next(), workspace.next()
	if err := s.checkReferences(agent.WorkspaceID, d); err != nil {
		return m, false, err
	}
	message := &stored{
		Message: Message{
			ID:          newID(),
			WorkspaceID: workspace.ID,
			ChannelID:   channel.ID,
			Sequence:    sequence,
			Author:      s.authorOf(agent, d),
			ContentType: d.contentType,
			Content:     d.content,
			SizeBytes:   len(d.content),
			CreatedAt:   time.Now().UTC(),
			Mentions:    d.mentions,
		},
		Event:      event,
		FileIDs:    d.fileIDs,
		Key:        key,
		BodyDigest: d.bodyDigest,
	}
	if err := s.commit(entry{Message: message}); err != nil {
		return m, false, err
	}
	return s.shown(message), true, nil
}

func (s *Store) authorOf(agent Agent, d draft) Author {
	author := Author{
		ID:            agent.ID,
		DisplayName:   agent.Name,
		AgentHost:     d.agentHost,
		SourceSession: d.sourceSession,
	}
	if human, isThere := s.humans[agent.HumanID]; isThere {
		author.HumanUser = &Named{human.ID, human.Name}
	}
	if machine, isThere := s.machines[agent.MachineID]; isThere {
		author.Machine = &Named{machine.ID, machine.Name}
	}
	return author
}

func (s *Store) checkReferences(workspaceID string, d draft) error {
	for _, target := range d.mentions {
		if !s.isIn(workspaceID, target) {
			return invalid("no %s %s is in this workspace", target.Kind, target.ID)
		}
	}
	for _, id := range d.fileIDs {
		if file, isThere := s.files[id]; !isThere || file.WorkspaceID != workspaceID || file.Status != "ready" {
			return invalid("no file %s is ready in this workspace", id)
		}
	}
	return nil
}

func (s *Store) isIn(workspaceID string, target Target) bool {
	switch target.Kind {
	case "agent":
		return s.agents[target.ID].WorkspaceID == workspaceID
	case "user":
		return s.humans[target.ID].WorkspaceID == workspaceID
	default:
		return s.machines[target.ID].WorkspaceID == workspaceID
	}
}

// shown is the message with its files as they are now.
func (s *Store) shown(m *stored) Message {
	message := m.Message
	for _, id := range m.FileIDs {
		message.Attachments = append(message.Attachments, s.files[id])
	}
	return message
}

// maxPageBytes caps the contents of a page; one message is always shown.
const maxPageBytes = 256 * 1024

// capped is as many of the messages as fit into a page.
func capped(messages []*stored, limit int) []*stored {
	size := 0
	for index, m := range messages {
		size += m.SizeBytes
		if index == limit || (index > 0 && size > maxPageBytes) {
			return messages[:index]
		}
	}
	return messages
}

// read is a page of a channel after a cursor, and what is closed when there is more.
func (s *Store) read(channelID string, after int64, limit int) ([]Message, Page, <-chan struct{}) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	channel := s.channels[channelID]
	start := startAfter(channel.messages, after, func(m *stored) int64 { return m.Sequence })
	rest := channel.messages[start:]
	taken := capped(rest, limit)
	page := Page{NextAfter: after, HasMore: len(taken) < len(rest), HighWatermark: channel.watermark}
	messages := make([]Message, 0, len(taken))
	for _, m := range taken {
		messages = append(messages, s.shown(m))
		page.NextAfter = m.Sequence
	}
	return messages, page, channel.changed
}

// mentions is a page of what mentions an agent, its human or its machine; the newest one when after is nil.
func (s *Store) mentions(agent Agent, after *int64, limit int) ([]Mention, Page) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	workspace := s.workspaces[agent.WorkspaceID]
	page := Page{HighWatermark: workspace.watermark}
	var matching []*stored
	if after != nil {
		page.NextAfter = *after
		start := startAfter(workspace.mentions, *after, func(m *stored) int64 { return m.Event })
		matching = firstFor(agent, workspace.mentions[start:], limit+1)
	} else {
		matching = lastFor(agent, workspace.mentions, limit)
	}
	taken := capped(matching, limit)
	page.HasMore = len(taken) < len(matching)
	mentions := make([]Mention, 0, len(taken))
	for _, m := range taken {
		mentions = append(mentions, Mention{m.ID, m.Event, s.shown(m)})
		page.NextAfter = m.Event
	}
	return mentions, page
}

func firstFor(agent Agent, messages []*stored, count int) []*stored {
	var matching []*stored
	for _, m := range messages {
		if isFor(agent, m) {
			matching = append(matching, m)
		}
		if len(matching) == count {
			break
		}
	}
	return matching
}

func lastFor(agent Agent, messages []*stored, count int) []*stored {
	var matching []*stored
	for _, m := range slices.Backward(messages) {
		if isFor(agent, m) {
			matching = append(matching, m)
		}
		if len(matching) == count {
			break
		}
	}
	slices.Reverse(matching)
	return matching
}

func isFor(agent Agent, m *stored) bool {
	if m.Author.ID == agent.ID {
		return false
	}
	return slices.ContainsFunc(m.Mentions, func(target Target) bool {
		switch target.Kind {
		case "agent":
			return target.ID == agent.ID
		case "user":
			return target.ID == agent.HumanID
		default:
			return target.ID == agent.MachineID
		}
	})
}

// startAfter is the index of the first message whose number is greater than after.
func startAfter(messages []*stored, after int64, number func(*stored) int64) int {
	index, isFound := slices.BinarySearchFunc(messages, after, func(m *stored, after int64) int {
		return int(min(1, max(-1, number(m)-after)))
	})
	if isFound {
		index++
	}
	return index
}

// channelsOf are the channels of a workspace. The caller holds the lock.
func (s *Store) channelsOf(workspaceID string) []Channel {
	channels := []Channel{}
	for _, log := range s.workspaces[workspaceID].channels {
		channels = append(channels, log.Channel)
	}
	return channels
}
