package messaging

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxContentBytes = 500_000
	maxReferences   = 20
)

var (
	lowerUUID     = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	opaqueSession = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$`)
	datedSession  = regexp.MustCompile(`^([0-9]{8}_[0-9]{6})_[0-9a-f]{6}(?:[0-9a-f]{2})?$`)
)

// draft is a request to send, valid by itself; the store knows whether what it refers to is there.
type draft struct {
	content       string
	contentType   string
	agentHost     *string
	sourceSession *SourceSession
	mentions      []Target
	fileIDs       []string
	key           string
	bodyDigest    string
}

// draftOf reads the body of a send. Fields that it does not know are let pass.
func draftOf(body []byte, key string) (draft, error) {
	d := draft{contentType: "text/plain", key: key, bodyDigest: digestOf(string(body))}
	// The decoder would put U+FFFD in place of both.
	if !utf8.Valid(body) || hasUnpairedSurrogate(body) {
		return d, invalid("the body has to be UTF-8 without unpaired surrogates")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return d, invalid("the body has to be a JSON object")
	}
	var fileIDs []string
	for name, into := range map[string]any{
		"content":        &d.content,
		"content_type":   &d.contentType,
		"agent_host":     &d.agentHost,
		"source_session": &d.sourceSession,
		"mentions":       &d.mentions,
		"attachments":    &fileIDs,
	} {
		if raw, isThere := fields[name]; isThere && json.Unmarshal(raw, into) != nil {
			return d, invalid("%s is not of its type", name)
		}
	}
	d.fileIDs = lowered(fileIDs)
	return d, d.check()
}

func (t *Target) UnmarshalJSON(raw []byte) error {
	return readExactly(raw, map[string]*string{"kind": &t.Kind, "id": &t.ID})
}

func (s *SourceSession) UnmarshalJSON(raw []byte) error {
	return readExactly(raw, map[string]*string{
		"provider": &s.Provider, "surface": &s.Surface, "session_id": &s.SessionID,
	})
}

// readExactly reads an object of these fields and no other. The decoder would take their names in any letter case.
func readExactly(raw []byte, into map[string]*string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return err
	}
	for name, value := range fields {
		field, isKnown := into[name]
		if !isKnown {
			return fmt.Errorf("there is no field %q", name)
		}
		if err := json.Unmarshal(value, field); err != nil {
			return err
		}
	}
	return nil
}

func (d *draft) check() error {
	if len(d.content) == 0 || len(d.content) > maxContentBytes {
		return invalid("content takes 1 to %d bytes of UTF-8, not %d", maxContentBytes, len(d.content))
	}
	if strings.ContainsRune(d.content, 0) {
		return invalid("content must not hold U+0000")
	}
	if d.agentHost != nil {
		if length := utf8.RuneCountInString(*d.agentHost); length < 1 || length > 80 {
			return invalid("agent_host takes 1 to 80 characters")
		}
	}
	if len(d.mentions) > maxReferences || len(d.fileIDs) > maxReferences {
		return invalid("mentions and attachments take %d each", maxReferences)
	}
	for index, target := range d.mentions {
		d.mentions[index].ID = strings.ToLower(target.ID)
		if target.Kind != "agent" && target.Kind != "user" && target.Kind != "machine" {
			return invalid("a mention is of an agent, a user or a machine")
		}
	}
	if d.sourceSession != nil {
		return d.sourceSession.check()
	}
	return nil
}

func (s SourceSession) check() error {
	isLocal := s.Surface == "desktop" || s.Surface == "cli"
	var isValid bool
	switch s.Provider {
	case "provider_a":
		isValid = isLocal && lowerUUID.MatchString(s.SessionID)
	case "provider_b":
		isNew := s.Surface == "cloud" && strings.EqualFold(s.SessionID, "new")
		isValid = (isLocal || s.Surface == "cloud") && opaqueSession.MatchString(s.SessionID) && !isNew
	case "provider_c":
		isValid = s.Surface == "cli" && lowerUUID.MatchString(s.SessionID)
	case "provider_d":
		isValid = s.Surface == "cli" && isDated(s.SessionID)
	}
	if !isValid {
		return invalid("source_session does not keep the rules of its provider")
	}
	return nil
}

func isDated(id string) bool {
	match := datedSession.FindStringSubmatch(id)
	if match == nil {
		return false
	}
	_, err := time.Parse("20060102_150405", match[1])
	return err == nil
}

// hasUnpairedSurrogate looks for \uD800 to \uDFFF without its other half, outside of which JSON has no surrogates.
func hasUnpairedSurrogate(body []byte) bool {
	for index := 0; index < len(body); index++ {
		if body[index] != '\\' {
			continue
		}
		switch unit := escapedUnit(body[index:]); {
		case unit < 0:
			index++
		case unit >= 0xd800 && unit < 0xdc00:
			low := escapedUnit(body[min(index+6, len(body)):])
			if low < 0xdc00 || low > 0xdfff {
				return true
			}
			index += 11
		case unit >= 0xdc00 && unit < 0xe000:
			return true
		default:
			index += 5
		}
	}
	return false
}

// escapedUnit is the code unit of a \uXXXX at the beginning, or -1.
func escapedUnit(text []byte) int64 {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return int64(unit)
}

func lowered(ids []string) []string {
	for index, id := range ids {
		ids[index] = strings.ToLower(id)
	}
	return ids
}
