package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
)

// broken are rules to break, one at a time, so that you see the suite name each. What breaks one alters requests or answers
// on their way: the server knows nothing of it.
var broken = map[string]func(http.Handler) http.Handler{
	"content": onRequest("POST", cutContent),
	"cursor":  onRequest("GET", readOneAgain),
	"key":     onRequest("POST", forgetKey),
	"order":   reverseMentions,
}

func ruleNames() string { return strings.Join(slices.Sorted(maps.Keys(broken)), ", ") }

// onRequest changes requests about the messages of a channel before the server sees them.
func onRequest(method string, change func(*http.Request)) func(http.Handler) http.Handler {
	return func(server http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == method && strings.HasSuffix(r.URL.Path, "/messages") {
				change(r)
			}
			server.ServeHTTP(w, r)
		})
	}
}

// cutContent makes content that is too long fit, where the server would have refused it.
func cutContent(r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var fields map[string]any
	if json.Unmarshal(body, &fields) == nil {
		if content, _ := fields["content"].(string); len(content) > 500_000 {
			fields["content"] = strings.ToValidUTF8(content[:500_000], "")
			body, _ = json.Marshal(fields)
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
}

// readOneAgain takes a cursor for one that stands before its message, rather than after it.
func readOneAgain(r *http.Request) {
	query := r.URL.Query()
	if after, err := strconv.ParseInt(query.Get("after"), 10, 64); err == nil && after > 0 {
		query.Set("after", strconv.FormatInt(after-1, 10))
		r.URL.RawQuery = query.Encode()
	}
}

// forgetKey makes every send a new one.
func forgetKey(r *http.Request) {
	if r.Header.Get("Idempotency-Key") != "" {
		r.Header.Set("Idempotency-Key", rand.Text())
	}
}

// reverseMentions lists the newest mention of a page first.
func reverseMentions(server http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v0/mentions" {
			server.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, r)
		body := answer.Body.Bytes()
		if answer.Code == http.StatusOK {
			var list struct {
				Mentions []json.RawMessage `json:"mentions"`
				Page     json.RawMessage   `json:"page"`
			}
			_ = json.Unmarshal(body, &list)
			slices.Reverse(list.Mentions)
			body, _ = json.Marshal(list)
		}
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(body)
	})
}
