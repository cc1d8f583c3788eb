package messaging

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
)

// answer is what a call comes to; a refusal comes as an error.
type answer struct {
	status int
	body   any
}

type call func(w http.ResponseWriter, r *http.Request) (answer, error)

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

// refusal is an error that the caller is told about.
type refusal struct {
	status  int
	code    string
	message string
}

func (r *refusal) Error() string { return r.message }

func invalid(format string, args ...any) error {
	return &refusal{http.StatusBadRequest, "invalid_request", fmt.Sprintf(format, args...)}
}

func conflict(message string) error {
	return &refusal{http.StatusConflict, "conflict", message}
}

func forbidden(message string) error {
	return &refusal{http.StatusForbidden, "forbidden", message}
}

// maxBodyBytes is 500,000 bytes, each escaped to six, with room for the rest.
const maxBodyBytes = 4 << 20

var digits = regexp.MustCompile(`^[0-9]+$`)

// number reads a query parameter that is a whole number; nil where it is absent.
func number(query url.Values, name string, min, max int64) (*int64, error) {
	values, isThere := query[name]
	if !isThere {
		return nil, nil
	}
	value, err := strconv.ParseInt(values[0], 10, 64)
	if len(values) > 1 || !digits.MatchString(values[0]) || err != nil || value < min || value > max {
		return nil, invalid("%s takes one whole number from %d to %d", name, min, max)
	}
	return &value, nil
}

// readBody reads a body that may be as large as the largest content in its longest spelling.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	if err != nil {
		return nil, &refusal{http.StatusRequestEntityTooLarge, "too_large", "the body is larger than any message"}
	}
	return body, nil
}
