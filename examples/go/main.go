// Command messaging serves the agent-facing messaging contract from memory, with a journal on disk.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// breakRule names the one rule that this server is told not to keep, to see that a gate notices.
var breakRule = flag.String("break", "", "rule to break: order, cursor, self or content")

func isBroken(rule string) bool { return *breakRule == rule }

// app is the public server and what it takes to start it again on the same data.
type app struct {
	mu      sync.RWMutex // held by the hooks, and alone by a restart
	journal string
	address string
	api     *api
	server  *http.Server
	stop    context.CancelFunc
}

func main() {
	address := flag.String("addr", "127.0.0.1:0", "address of the API")
	operatorAddress := flag.String("operator", "127.0.0.1:0", "address of the operator's interface; keep it on loopback")
	target := flag.String("target", "conform.yaml", "target file to write")
	journal := flag.String("data", "messaging.journal", "file that holds everything")
	flag.Parse()
	if rules := []string{"", "order", "cursor", "self", "content"}; !slices.Contains(rules, *breakRule) {
		fmt.Fprintln(os.Stderr, "-break takes", strings.Join(rules[1:], ", "))
		os.Exit(2)
	}
	if err := run(*address, *operatorAddress, *journal, *target); err != nil {
		slog.Error("stopped", "error", err)
		os.Exit(1)
	}
}

func run(address, operatorAddress, journal, target string) error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	app := &app{journal: journal, address: address}
	if err := app.start(); err != nil {
		return err
	}
	operator := &operator{app}
	listener, err := net.Listen("tcp", operatorAddress)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: operator.handler(), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	output, err := operator.provision([]byte("{}"))
	if err != nil {
		return err
	}
	text := targetFile(app.address, listener.Addr().String(), output.(provisioned))
	if err := writeWhole(target, text); err != nil {
		return err
	}
	slog.Info("listening", "address", app.address, "target", target)
	<-ctx.Done()
	server.Close()
	return app.halt()
}

// start opens the journal and serves what it holds.
func (a *app) start() error {
	store, err := openStore(a.journal)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", a.address)
	if err != nil {
		store.close()
		return err
	}
	stopping, stop := context.WithCancel(context.Background())
	a.address = listener.Addr().String()
	a.api = &api{store: store, limits: &limits{buckets: map[string]*bucket{}}, stopping: stopping.Done()}
	a.server = &http.Server{Handler: a.api.handler(), ReadHeaderTimeout: 10 * time.Second}
	a.stop = stop
	go func(server *http.Server) {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			slog.Error("serving ended", "error", err)
		}
	}(a.server)
	return nil
}

// halt lets the calls under way end, and forgets everything that is not in the journal.
func (a *app) halt() error {
	a.stop()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return errors.Join(a.server.Shutdown(ctx), a.api.store.close())
}

func (a *app) restart() error {
	if err := a.halt(); err != nil {
		return err
	}
	return a.start()
}

// writeWhole lets nobody see half of a file.
func writeWhole(path, text string) error {
	if err := os.WriteFile(path+".part", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// targetFile says to the conformance suite who is there, and how to reach the operator.
func targetFile(address, operator string, made provisioned) string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	line("base_url: http://%s", address)
	line("workspace: %s\nchannel: %s\nsecond_channel: %s", made.Workspace, made.Channel, made.SecondChannel)
	line("roles:")
	for _, role := range slices.Sorted(maps.Keys(made.Roles)) {
		line("  %s: %s", role, made.Roles[role])
	}
	line("hooks:")
	for _, hook := range []string{"provision", "revoke", "expire", "rename", "deactivate", "file", "restart", "limit"} {
		line("  %s: { url: http://%s/%s }", hook, operator, hook)
	}
	return text.String()
}
