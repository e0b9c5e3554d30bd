// Package tillbox gives a test a sandbox of the payment service: sandbox := tillbox.New(t). It uses that of `npx tillbox
// exec -- go test -p 1 ./...`, and without it starts one for each package. For each test everything in it is deleted, so
// tests with a sandbox must not run in parallel.
package tillbox

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// JSON is an object.
type JSON = map[string]any

// Sandbox says how to connect, and drives the sandbox. A method that fails ends the test.
type Sandbox struct {
	URL, APIKey, AppID, MerchantID, Secret string // Secret: of webhooks
	Terminals                              []string
	t                                      testing.TB
}

var baseURL = os.Getenv("TILLBOX_BASE_URL")

// New returns the sandbox, as new.
func New(t testing.TB) *Sandbox {
	if baseURL == "" {
		start(t)
	}
	s := &Sandbox{URL: baseURL, t: t}
	s.Control("POST", "reset", JSON{"everything": true}, nil)
	s.Control("GET", "connection", nil, s)
	s.Control("GET", "webhook-secret", nil, s)
	return s
}

// start starts a sandbox that ends soon after this process.
func start(t testing.TB) {
	child := exec.Command("tillbox", "sandbox", "start", "--port", "0", "--ephemeral", "--json", "--set", "withParent=true")
	output, _ := child.StdoutPipe()
	if err := child.Start(); err != nil {
		t.Fatalf("no sandbox: npm install --global tillbox, or npx tillbox exec -- go test -p 1 ./... (%v)", err)
	}
	var started struct{ URL string }
	if err := json.NewDecoder(output).Decode(&started); err != nil {
		t.Fatalf("tillbox sandbox start: %v", err)
	}
	baseURL = started.URL
}

// WaitFor waits for a transaction, by its id or its order, to be SUCCESS, FAIL, CLOSED or PROCESSING. It returns its record.
func (s *Sandbox) WaitFor(payment, status string) JSON {
	var found struct {
		Status           string
		Record, Timeline any
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if id := s.idOf(payment); id != "" {
			s.Control("GET", "transactions/"+id, nil, &found)
		}
		switch {
		case found.Status == status:
			return found.Record.(JSON)
		case found.Status == "SUCCESS", found.Status == "FAIL", found.Status == "CLOSED", time.Now().After(end):
			s.t.Fatalf("%s is %q, not %s: %v", payment, found.Status, status, found.Timeline)
		}
	}
}

func (s *Sandbox) idOf(payment string) string {
	var found struct {
		Transactions []struct{ TransactionID string }
	}
	s.Control("GET", "transactions?limit=1&order="+url.QueryEscape(payment), nil, &found)
	if len(found.Transactions) > 0 {
		return found.Transactions[0].TransactionID
	}
	if len(payment) == 16 && strings.Trim(payment, "0123456789") == "" {
		return payment
	}
	return ""
}

// Outcome decides the next payment of the first terminal: insufficient-funds, late-approval, ... (tillbox outcomes).
func (s *Sandbox) Outcome(name string) {
	s.Control("POST", "terminals/"+s.Terminals[0]+"/queue", JSON{"outcome": name}, nil)
}

// Advance moves the clock forward. Everything that falls due has happened afterwards, its webhooks included.
func (s *Sandbox) Advance(span time.Duration) {
	s.Control("POST", "clock", JSON{"action": "advance", "milliseconds": span.Milliseconds()}, nil)
}

// Webhooks receives webhooks until the test ends, and fails it where a signature is wrong.
func (s *Sandbox) Webhooks() (address string, received <-chan JSON) {
	webhooks := make(chan JSON, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		var webhook JSON
		if !IsGenuine(request.Header, body, s.Secret) || json.Unmarshal(body, &webhook) != nil {
			s.t.Errorf("the signature of this webhook is wrong: %s", body)
		}
		webhooks <- webhook
	}))
	s.t.Cleanup(server.Close)
	return server.URL, webhooks
}

// IsGenuine checks the signature of a webhook. body: the bytes as they came.
func IsGenuine(headers http.Header, body []byte, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	made := []byte(hex.EncodeToString(mac.Sum(nil)))
	// for a while after a rotation, the second header has the signature by the secret before
	return hmac.Equal(made, []byte(headers.Get("X-Signature"))) ||
		hmac.Equal(made, []byte(headers.Get("X-Sandbox-Previous-Signature")))
}

// Control calls the control interface, which can do more: docs/control-interface.md of tillbox. into: for its answer.
func (s *Sandbox) Control(method, path string, body, into any) {
	var content io.Reader
	if body != nil {
		text, _ := json.Marshal(body)
		content = bytes.NewReader(text)
	}
	request, _ := http.NewRequest(method, baseURL+"/_sandbox/"+path, content)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Sandbox-Token", os.Getenv("TILLBOX_TOKEN"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	var answer struct{ Code string }
	if json.Unmarshal(text, &answer) != nil || answer.Code != "0" {
		s.t.Fatalf("%s %s: %s", method, path, text)
	}
	json.Unmarshal(text, &struct{ Data any }{into})
}
