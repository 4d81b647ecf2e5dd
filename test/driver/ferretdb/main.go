// Command ferret runs FerretDB on SQLite on a free port of the loopback interface. It prints its
// connection string as the first line and ends when its standard input does, so it never outlives
// the process that started it.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/FerretDB/FerretDB/ferretdb"
)

// main takes one argument: an existing directory for the data, with a trailing slash.
// FerretDB's memory mode deadlocks on updates, so there is no way to ask for it.
func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: ferret DATA_DIR/")
		os.Exit(2)
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Handler:   "sqlite",
		SQLiteURL: "file:" + os.Args[1],
		Logger:    slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	go func() { fmt.Println(server.MongoDBURI()) }()
	_ = server.Run(ctx)
}
