// Answers what Argo CD says of the health of objects: one request a line in, one answer a line out. For
// packages/core/bench/health.ts; no part of litecd.
//
// It builds where Argo CD is, with its go.mod: copy this folder to cmd/health-oracle in a checkout of Argo CD v3.5.1 and
// run `go build -mod=mod -o FILE ./cmd/health-oracle` there.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/lua"
)

type request struct {
	Object json.RawMessage `json:"object"`
	// A check of a user, with all libraries; without one Argo CD's own decides.
	Script string `json:"script"`
	// How often the object is judged; once when absent.
	Rounds int `json:"rounds"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			text, problem := json.Marshal(answerTo(line))
			if problem != nil {
				panic(problem)
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

func answerTo(line []byte) map[string]any {
	var r request
	var object unstructured.Unstructured
	if err := json.Unmarshal(line, &r); err != nil {
		return map[string]any{"problem": err.Error()}
	}
	if err := object.UnmarshalJSON(r.Object); err != nil {
		return map[string]any{"problem": err.Error()}
	}
	overrides := lua.ResourceHealthOverrides{}
	if r.Script != "" {
		kind := object.GroupVersionKind()
		key := kind.Kind
		if kind.Group != "" {
			key = fmt.Sprintf("%s/%s", kind.Group, kind.Kind)
		}
		overrides[key] = v1alpha1.ResourceOverride{HealthLua: r.Script, UseOpenLibs: true}
	}
	rounds := max(1, r.Rounds)
	start := cpuMicroseconds()
	var found *health.HealthStatus
	var err error
	for range rounds {
		found, err = health.GetResourceHealth(&object, overrides)
	}
	answer := map[string]any{
		"health":       found,
		"microseconds": (cpuMicroseconds() - start) / float64(rounds),
	}
	if err != nil {
		answer["error"] = err.Error()
	}
	return answer
}

func cpuMicroseconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e3
}
