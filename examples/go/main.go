// Command messaging is the server as you would run it; undertest starts it for the conformance suite.
package main

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"example.test/messaging/messaging"
)

func main() {
	address := flag.String("addr", "127.0.0.1:0", "address to serve; port 0 takes a free one")
	journal := flag.String("data", "messaging.journal", "file that holds everything")
	flag.Parse()
	if err := run(&messaging.Server{Address: *address, Journal: *journal}); err != nil {
		slog.Error("stopped", "error", err)
		os.Exit(1)
	}
}

func run(server *messaging.Server) error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := server.Start(); err != nil {
		return err
	}
	slog.Info("listening", "address", server.Address)
	<-ctx.Done()
	return server.Stop()
}
