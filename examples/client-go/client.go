// A client of the agent messaging service.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand"
	"net/http"
	"strconv"
	"time"
)

const (
	tries      = 8
	firstPause = 100 * time.Millisecond
)

// Client lives with lost answers, limits and gateways.
type Client struct {
	baseURL, token string
	http           http.Client
}

func newClient(baseURL, token string) *Client {
	return &Client{baseURL, token, http.Client{Timeout: 10 * time.Second}}
}

// Message has what this client uses of one.
type Message struct {
	ID        string `json:"id"`
	ChannelID string `json:"channel_id"`
	Content   string `json:"content"`
}

type mentionsPage struct {
	Mentions []struct {
		Message Message `json:"message"`
	} `json:"mentions"`
	Page struct {
		NextAfter uint64 `json:"next_after"`
		HasMore   bool   `json:"has_more"`
	} `json:"page"`
}

// append sends a message. All tries have one key: where only the answer is lost, nothing is written twice.
func (client *Client) append(channel, content string) error {
	body, err := json.Marshal(map[string]string{"content": content, "content_type": "text/plain"})
	if err != nil {
		return err
	}
	return client.ask("POST", "/v0/channels/"+channel+"/messages", body, newKey(), nil)
}

// mentions hands on page after page, each with the cursor to go on from. Only has_more says whether there is another.
func (client *Client) mentions(after uint64, take func(Message) error, keep func(uint64) error) (uint64, error) {
	for {
		var read mentionsPage
		path := fmt.Sprintf("/v0/mentions?after=%d&limit=100", after)
		if err := client.ask("GET", path, nil, "", &read); err != nil {
			return after, err
		}
		for _, mention := range read.Mentions {
			if err := take(mention.Message); err != nil {
				return after, err
			}
		}
		next := read.Page.NextAfter
		if read.Page.HasMore && next <= after {
			return after, fmt.Errorf("the cursor stays at %d", after)
		}
		if next != after {
			if err := keep(next); err != nil {
				return after, err
			}
		}
		after = next
		if !read.Page.HasMore {
			return after, nil
		}
	}
}

// ask tries a request until it is answered by the service; a refusal is final.
func (client *Client) ask(method, path string, body []byte, key string, into any) error {
	pause := firstPause
	for count := 0; count < tries; count++ {
		status, header, answer, err := client.try(method, path, body, key)
		wait := time.Duration(float64(pause) * (0.5 + mathrand.Float64()))
		switch {
		case err != nil: // Cut on the way: before, within or after the work of the server.
		case status == http.StatusTooManyRequests:
			if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil && seconds > 0 {
				wait = time.Duration(seconds) * time.Second
			}
		case status == 502 || status == 503 || status == 504:
		case status < 200 || status > 299:
			return fmt.Errorf("%s %s: %d %.200s", method, path, status, answer)
		case into == nil:
			return nil
		default:
			return json.Unmarshal(answer, into)
		}
		time.Sleep(wait)
		pause *= 2
	}
	return fmt.Errorf("%s %s: no answer, %d times", method, path, tries)
}

func (client *Client) try(method, path string, body []byte, key string) (int, http.Header, []byte, error) {
	request, err := http.NewRequest(method, client.baseURL+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+client.token)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", key)
	}
	answer, err := client.http.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, answer.Header, text, err
}

// newKey is a random UUID.
func newKey() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(err)
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
