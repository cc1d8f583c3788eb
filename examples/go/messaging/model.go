package messaging

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// Channel is a shared channel as the overview shows it.
type Channel struct {
	ID               string    `json:"id"`
	WorkspaceID      string    `json:"workspace_id"`
	Slug             string    `json:"slug"`
	DisplayName      string    `json:"display_name"`
	Description      string    `json:"description"`
	Kind             string    `json:"kind"`
	IsDefault        bool      `json:"is_default"`
	CreatedAt        time.Time `json:"created_at"`
	UpdatedAt        time.Time `json:"updated_at"`
	UpdatedByAgentID string    `json:"updated_by_agent_id"`
}

// Workspace is the workspace itself, as the overview shows it.
type Workspace struct {
	ID          string    `json:"id"`
	Slug        string    `json:"slug"`
	DisplayName string    `json:"display_name"`
	Description string    `json:"description"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// Human is a person with the membership that links them to their workspace.
type Human struct {
	ID           string
	WorkspaceID  string
	MembershipID string
	Name         string
	Email        string
	Role         string
	IsActive     bool
	JoinedAt     time.Time
	UpdatedAt    time.Time
}

// Machine is a machine profile of a person.
type Machine struct {
	ID          string
	WorkspaceID string
	HumanID     string
	Name        string
	IsActive    bool
}

// Agent writes and reads; HumanID and MachineID are empty where it runs for nobody.
type Agent struct {
	ID          string
	WorkspaceID string
	Name        string
	HumanID     string
	MachineID   string
	HasAccess   bool
}

// Credential is kept by the digest of its token; it is of an agent or of a machine.
type Credential struct {
	Digest    string
	AgentID   string
	MachineID string
	ExpiresAt time.Time
	IsRevoked bool
}

// File is an immutable workspace file; its bytes stand beside the metadata that everyone is shown.
type File struct {
	ID                   string     `json:"id"`
	WorkspaceID          string     `json:"workspace_id"`
	Filename             string     `json:"filename"`
	ContentType          string     `json:"content_type"`
	SizeBytes            int        `json:"size_bytes"`
	SHA256               string     `json:"sha256"`
	Status               string     `json:"status"`
	CreatedAt            time.Time  `json:"created_at"`
	UploadedAt           *time.Time `json:"uploaded_at"`
	CreatedByAgentID     *string    `json:"created_by_agent_id"`
	CreatedByHumanUserID *string    `json:"created_by_human_user_id"`
}

// Author is who wrote a message, as they were when they did.
type Author struct {
	ID            string         `json:"id"`
	DisplayName   string         `json:"display_name"`
	AgentHost     *string        `json:"agent_host,omitempty"`
	HumanUser     *Named         `json:"human_user"`
	Machine       *Named         `json:"machine"`
	SourceSession *SourceSession `json:"source_session,omitempty"`
}

// Named is a person or a machine in an author.
type Named struct {
	ID          string `json:"id"`
	DisplayName string `json:"display_name"`
}

// SourceSession says where an author worked; nobody has checked it.
type SourceSession struct {
	Provider  string `json:"provider"`
	Surface   string `json:"surface"`
	SessionID string `json:"session_id"`
}

// Target is who a message is addressed to.
type Target struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
}

// Message is a message on the wire.
type Message struct {
	ID          string    `json:"id"`
	WorkspaceID string    `json:"workspace_id"`
	ChannelID   string    `json:"channel_id"`
	Sequence    int64     `json:"sequence"`
	Author      Author    `json:"author"`
	ContentType string    `json:"content_type"`
	Content     string    `json:"content"`
	SizeBytes   int       `json:"size_bytes"`
	CreatedAt   time.Time `json:"created_at"`
	Attachments []File    `json:"attachments,omitempty"`
	Mentions    []Target  `json:"mentions,omitempty"`
}

// Mention is a message in the list of those that mention somebody.
type Mention struct {
	ID       string  `json:"id"`
	Sequence int64   `json:"sequence"`
	Message  Message `json:"message"`
}

// Page says how to read on.
type Page struct {
	NextAfter     int64 `json:"next_after"`
	HasMore       bool  `json:"has_more"`
	HighWatermark int64 `json:"high_watermark"`
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

func newID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func newToken() string {
	return strings.ToLower(rand.Text())
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
