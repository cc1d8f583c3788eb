// Command undertest starts the server for the conformance suite: with a fresh workspace, a target file that names it, hooks,
// and a rule to break. Nothing imports it: delete it and the server remains.
package main

import (
	"context"
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
	"syscall"
	"time"

	"example.test/messaging/messaging"
)

func main() {
	address := flag.String("addr", "127.0.0.1:0", "address of the API")
	operatorAddress := flag.String("operator", "127.0.0.1:0", "address of the hooks; keep it on loopback")
	journal := flag.String("data", "messaging.journal", "file that holds everything")
	target := flag.String("target", "conform.yaml", "target file to write")
	rule := flag.String("break", "", "rule to break: "+ruleNames())
	flag.Parse()
	server := &messaging.Server{Address: *address, Journal: *journal}
	if *rule != "" {
		if server.Middleware = broken[*rule]; server.Middleware == nil {
			fmt.Fprintln(os.Stderr, "-break takes", ruleNames())
			os.Exit(2)
		}
	}
	if err := run(server, *operatorAddress, *target); err != nil {
		slog.Error("stopped", "error", err)
		os.Exit(1)
	}
}

func run(server *messaging.Server, operatorAddress, target string) error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := server.Start(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", operatorAddress)
	if err != nil {
		return err
	}
	operator := &operator{server: server}
	serving := &http.Server{Handler: operator.handler(), ReadHeaderTimeout: 10 * time.Second}
	go serving.Serve(listener)
	made, err := provision(server, provisionInput{})
	if err != nil {
		return err
	}
	if err := writeWhole(target, targetFile(server.Address, listener.Addr().String(), made)); err != nil {
		return err
	}
	slog.Info("listening", "address", server.Address, "target", target)
	<-ctx.Done()
	serving.Close()
	return server.Stop()
}

// targetFile says to the suite who is there, and how to reach the operator.
func targetFile(address, operatorAddress string, made provisioned) string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	line("base_url: http://%s", address)
	line("workspace: %s\nchannel: %s\nsecond_channel: %s", made.Workspace, made.Channel, made.SecondChannel)
	line("roles:")
	for _, role := range slices.Sorted(maps.Keys(made.Roles)) {
		line("  %s: %s", role, made.Roles[role])
	}
	line("hooks:")
	for _, name := range slices.Sorted(maps.Keys(hooks)) {
		line("  %s: { url: http://%s/%s }", name, operatorAddress, name)
	}
	return text.String()
}

// writeWhole lets nobody see half of a file.
func writeWhole(path, text string) error {
	if err := os.WriteFile(path+".part", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}
