// Answers what Argo CD's diff engine says of pairs of objects: one request a line in, one answer a line out. For
// packages/core/test/differential/diff.ts and packages/core/bench/diff.ts; no part of litecd.
//
// It builds where the engine is, with its go.mod: copy this folder to gitops-engine/cmd/diff-oracle in a checkout of
// Argo CD v3.5.1 and run, in gitops-engine, `go build -mod=mod -o FILE ./cmd/diff-oracle`.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/klog/v2"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/diff"
)

const manager = "argocd-controller"

type pair struct {
	Target json.RawMessage `json:"target"`
	Live   json.RawMessage `json:"live"`
}

type request struct {
	pair
	// client, structured, server, secret or time
	Mode string `json:"mode"`
	// What the API server would answer to the dry run.
	Predicted json.RawMessage `json:"predicted"`
	Webhook   bool            `json:"webhook"`
	// structured: where the schema of the kind comes from, and which version of it
	Definition json.RawMessage `json:"definition"`
	Version    string          `json:"version"`
	// secret: the annotation that is masked
	Annotation string `json:"annotation"`
	// time: all pairs are compared once
	Pairs []pair `json:"pairs"`
}

func main() {
	klog.SetLogger(logr.Discard())
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			answer, err := answerTo(line)
			reply := map[string]any{"ok": answer}
			if err != nil {
				reply = map[string]any{"error": err.Error()}
			}
			text, err := json.Marshal(reply)
			if err != nil {
				panic(err)
			}
			out.Write(append(text, '\n'))
			if in.Buffered() == 0 {
				out.Flush()
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(err)
		}
	}
}

func answerTo(line []byte) (answer any, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("panic: %v", problem)
		}
	}()
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, err
	}
	if r.Mode == "time" {
		return timed(r.Pairs)
	}
	target, live, err := r.read()
	if err != nil {
		return nil, err
	}
	options := []diff.Option{diff.WithLogr(logr.Discard()), diff.WithManager(manager)}
	switch r.Mode {
	case "secret":
		target, live, err := diff.HideSecretData(target, live, map[string]bool{r.Annotation: true})
		if err != nil {
			return nil, err
		}
		return map[string]any{"target": target, "live": live}, nil
	case "structured":
		parser := builtInParser()
		if r.Definition != nil {
			if parser, err = definedParser(r.Definition, r.Version); err != nil {
				return nil, err
			}
		}
		options = append(options, diff.WithStructuredMergeDiff(true), diff.WithGVKParser(parser))
	case "server":
		options = append(options, diff.WithServerSideDiff(true), diff.WithServerSideDryRunner(dryRun(r.Predicted)),
			diff.WithIgnoreMutationWebhook(!r.Webhook), diff.WithGVKParser(builtInParser()))
	}
	result, err := diff.Diff(target, live, options...)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"modified":  result.Modified,
		"live":      json.RawMessage(result.NormalizedLive),
		"predicted": json.RawMessage(result.PredictedLive),
	}, nil
}

// timed gives the seconds of CPU that one comparison of all pairs takes, reading them not included.
func timed(pairs []pair) (any, error) {
	type read struct{ target, live *unstructured.Unstructured }
	all := make([]read, len(pairs))
	for i, p := range pairs {
		target, live, err := p.read()
		if err != nil {
			return nil, err
		}
		all[i] = read{target, live}
	}
	start := cpuSeconds()
	modified := 0
	for _, p := range all {
		result, err := diff.Diff(p.target, p.live, diff.WithLogr(logr.Discard()))
		if err != nil {
			return nil, err
		}
		if result.Modified {
			modified++
		}
	}
	return map[string]any{"seconds": cpuSeconds() - start, "modified": modified}, nil
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func (p pair) read() (target, live *unstructured.Unstructured, err error) {
	if target, err = objectOf(p.Target); err != nil {
		return nil, nil, err
	}
	live, err = objectOf(p.Live)
	return target, live, err
}

func objectOf(raw json.RawMessage) (*unstructured.Unstructured, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var object unstructured.Unstructured
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	return &object, nil
}

type dryRun []byte

func (answer dryRun) Run(context.Context, *unstructured.Unstructured, string) (string, error) {
	return string(answer), nil
}
