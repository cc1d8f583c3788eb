// An agent that does what `conform client` asks of one: reads its mentions, answers them, or delivers a list.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func main() {
	client := newClient(os.Getenv("CONFORM_BASE_URL"), os.Getenv("CONFORM_TOKEN"))
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	var err error
	switch task := os.Getenv("CONFORM_TASK"); task {
	case "read":
		err = follow(client, func(message Message) error {
			return output.Encode(map[string]string{"id": message.ID, "content": message.Content})
		})
	case "echo":
		err = follow(client, func(message Message) error {
			return client.append(message.ChannelID, message.Content)
		})
	case "send":
		err = deliver(client, os.Getenv("CONFORM_CHANNEL"))
	default:
		err = fmt.Errorf("CONFORM_TASK is %q, and none of read, echo and send", task)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// follow hands on each mention, the oldest first, and goes on from its cursor after a restart.
func follow(client *Client, take func(Message) error) error {
	file := filepath.Join(os.Getenv("CONFORM_STATE"), "cursor")
	kept, _ := os.ReadFile(file)
	after, _ := strconv.ParseUint(string(kept), 10, 64)
	keep := func(cursor uint64) error {
		return os.WriteFile(file, []byte(strconv.FormatUint(cursor, 10)), 0o600)
	}
	for {
		var err error
		if after, err = client.mentions(after, take, keep); err != nil {
			return err
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// deliver sends each line of standard input: {"content": "…"}.
func deliver(client *Client, channel string) error {
	for lines := json.NewDecoder(os.Stdin); ; {
		var message Message
		if err := lines.Decode(&message); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := client.append(channel, message.Content); err != nil {
			return err
		}
	}
}
