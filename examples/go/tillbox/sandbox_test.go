package tillbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"
)

// sell stands for your shop: it calls the payment service as your code does.
func sell(t *testing.T, s *Sandbox, order, notifyURL string) {
	t.Helper()
	sale := JSON{"amount": 1000, "priceCurrency": "USD", "referenceOrderId": order, "transactionRequestId": order + "-1"}
	if notifyURL != "" {
		sale["notifyUrl"] = notifyURL
	}
	body, _ := json.Marshal(sale)
	request, _ := http.NewRequest("POST", s.URL+"/v1/semi-integration/transaction/sale", bytes.NewReader(body))
	request.Header = http.Header{
		"Authorization":       {"Bearer " + s.APIKey},
		"Content-Type":        {"application/json"},
		"X-Client-Request-Id": {fmt.Sprintf("%032x", time.Now().UnixNano())},
		"X-Timestamp":         {fmt.Sprint(time.Now().UnixMilli())},
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}

func TestASaleIsApprovedAndItsWebhookIsGenuine(t *testing.T) {
	s := New(t)
	address, webhooks := s.Webhooks()
	sell(t, s, "ORDER-1", address)
	paid := s.WaitFor("ORDER-1", "SUCCESS")
	webhook := <-webhooks
	if webhook["transactionId"] != paid["transactionId"] || webhook["transactionStatus"] != "S" {
		t.Error(webhook)
	}
}

func TestAForgedWebhookIsNotGenuine(t *testing.T) {
	forged := http.Header{"X-Signature": {fmt.Sprintf("%064d", 0)}}
	if IsGenuine(forged, []byte("{}"), "whsec_x") || IsGenuine(http.Header{}, []byte("{}"), "whsec_x") {
		t.Error("it was taken for genuine")
	}
}

func TestASaleThatTheHostDeclines(t *testing.T) {
	s := New(t)
	s.Outcome("insufficient-funds")
	sell(t, s, "100002", "")
	if code := s.WaitFor("100002", "FAIL")["transactionResultCode"]; code != "051" {
		t.Error(code)
	}
}

func TestAHostThatApprovesLate(t *testing.T) {
	s := New(t)
	s.Outcome("late-approval")
	sell(t, s, "ORDER-3", "")
	pending := s.WaitFor("ORDER-3", "PROCESSING")
	s.Advance(2 * time.Minute)
	s.WaitFor(pending["transactionId"].(string), "SUCCESS")
}

func TestEachTestBeginsWithAnEmptySandbox(t *testing.T) {
	var all struct{ Transactions []JSON }
	New(t).Control("GET", "transactions", nil, &all)
	if len(all.Transactions) > 0 {
		t.Error(all.Transactions)
	}
}
