package conformance

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// An event of the result stream, as far as a test has to know it.
type event struct {
	Check, Title, Verdict, Clause, Text, Expected, Actual string
	IsScored                                              *bool
	Profile                                               struct{ Strict bool }
	Clauses                                               []struct {
		Clause, Verdict, Known, Inapplicable, Reason, Enable string
	}
	Exchanges []struct{ Curl string }
}

// One test a check, named by its id. conform.yaml of this folder names the server and its credentials; CONFORM_… variables override it, and
// more options go here.
func TestConformance(t *testing.T) {
	run := exec.Command("npx", "--no", "--", "conform", "--quiet", "--out", "-")
	var verdict bytes.Buffer
	run.Stderr = &verdict
	stream, failure := run.Output()
	events := map[string][]event{}
	for line := range bytes.Lines(stream) {
		var kind struct{ Type string }
		var each event
		err := json.Unmarshal(line, &kind)
		if kind.Type == "header" || kind.Type == "check" || kind.Type == "finding" {
			err = json.Unmarshal(line, &each)
		}
		if err != nil {
			t.Fatal(err)
		}
		events[kind.Type] = append(events[kind.Type], each)
	}
	for _, each := range events["check"] {
		t.Run(each.Check, func(t *testing.T) {
			judge(t, each, events["finding"], events["header"][0].Profile.Strict)
		})
	}
	// Red too where no check is: when nothing was concluded, or an entry of the baseline no longer holds.
	if failure != nil {
		t.Errorf("%v: %s", failure, verdict.String())
	}
}

func judge(t *testing.T, check event, findings []event, isStrict bool) {
	isScored := check.IsScored == nil || *check.IsScored
	var broken, reasons []string
	for _, each := range check.Clauses {
		fails := each.Verdict == "failed" || (isStrict && each.Verdict == "warned")
		if fails && each.Known == "" {
			broken = append(broken, each.Clause)
		}
		why := strings.Join([]string{each.Known, each.Inapplicable, each.Reason, each.Enable}, " ")
		if why = strings.TrimSpace(why); why != "" && !slices.Contains(reasons, why) {
			reasons = append(reasons, why)
		}
	}
	switch {
	case !isScored:
		t.Skip("not scored")
	case len(broken) > 0:
		t.Errorf("%s\n\n%s\n\nnpx conform --check %s", check.Title, evidence(broken, findings), check.Check)
	case check.Verdict != "passed" && check.Verdict != "warned":
		t.Skip(strings.Join(reasons, " | "))
	}
}

// What was expected, what came, and the requests that show it.
func evidence(broken []string, findings []event) string {
	var lines []string
	for _, each := range findings {
		shows := slices.Contains(broken, each.Clause)
		for _, also := range each.Clauses {
			shows = shows || slices.Contains(broken, also.Clause)
		}
		if !shows {
			continue
		}
		lines = append(lines, each.Clause+": "+each.Text, "  expected "+each.Expected, "  got "+each.Actual)
		for _, exchange := range each.Exchanges {
			if exchange.Curl != "" {
				lines = append(lines, "  "+exchange.Curl)
			}
		}
	}
	return strings.Join(lines, "\n")
}
