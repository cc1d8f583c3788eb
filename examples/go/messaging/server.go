// Package messaging serves the agent-facing messaging contract from memory, with a journal on disk. Read on in calls.go.
package messaging

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Server serves what a journal holds, until it is stopped; then it can be started again.
type Server struct {
	Journal string
	Address string // with port 0 Start takes a free one, and puts it here
	// Wraps everything, where it is not nil: the place for what you do with every request.
	Middleware func(http.Handler) http.Handler
	// Of the last start.
	Store  *Store
	limits *limits
	http   *http.Server
	stop   context.CancelFunc
}

// Start opens the journal, and serves in the background.
func (s *Server) Start() error {
	store, err := openStore(s.Journal)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.Address)
	if err != nil {
		store.close()
		return err
	}
	stopping, stop := context.WithCancel(context.Background())
	s.Address = listener.Addr().String()
	s.Store, s.limits, s.stop = store, &limits{buckets: map[string]*bucket{}}, stop
	handler := (&calls{store, s.limits, stopping.Done()}).handler()
	if s.Middleware != nil {
		handler = s.Middleware(handler)
	}
	s.http = &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func(server *http.Server) {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			slog.Error("serving ended", "error", err)
		}
	}(s.http)
	return nil
}

// Stop lets the calls under way end, and forgets everything that is not in the journal.
func (s *Server) Stop() error {
	s.stop()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return errors.Join(s.http.Shutdown(ctx), s.Store.close())
}

// SetRate lets a token make so many requests a second until the server stops; 0 lifts the limit.
func (s *Server) SetRate(token string, perSecond float64) {
	s.limits.set(digestOf(token), perSecond)
}
