// Webhooks at http://127.0.0.1:3000/webhooks, with net/http. Run it: go run ./webhook
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
)

// Notification is what your shop reads of one. TransactionStatus: S approved, F declined, C closed unpaid.
type Notification struct {
	TransactionID, TransactionType, TransactionStatus, ReferenceOrderID string
}

// handle is what your shop does. An error is answered with 500, and the notification comes again.
func handle(n Notification) error {
	fmt.Println(n.TransactionType, n.TransactionID, n.TransactionStatus)
	return nil
}

// Webhooks answers 200 when the notification is handled, now or before. After any other answer it comes again.
func Webhooks(secret string, handle func(Notification) error) http.Handler {
	var oneAtATime sync.Mutex
	handled := map[string]bool{} // in production in your database, in the transaction that stores what it changes
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, 1<<20))
		id := request.Header.Get("X-Client-Request-Id") // the same on every attempt to deliver it
		var notification *Notification
		switch {
		case err != nil:
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		case !isGenuine(request.Header, body, secret):
			w.WriteHeader(http.StatusUnauthorized)
			return
		case id == "" || json.Unmarshal(body, &notification) != nil || notification == nil:
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		oneAtATime.Lock()
		defer oneAtATime.Unlock()
		if !handled[id] {
			if err := handle(*notification); err != nil {
				log.Printf("webhook %s was not handled: %v", id, err)
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			handled[id] = true
		}
	})
}

// isGenuine checks the signature. body: the bytes as they came.
func isGenuine(headers http.Header, body []byte, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	made := []byte(hex.EncodeToString(mac.Sum(nil)))
	// for a while after a rotation, the second header has the signature by the secret before
	return hmac.Equal(made, []byte(headers.Get("X-Signature"))) ||
		hmac.Equal(made, []byte(headers.Get("X-Sandbox-Previous-Signature")))
}

func main() {
	secret, port := os.Getenv("TILLBOX_WEBHOOK_SECRET"), os.Getenv("PORT")
	if secret == "" {
		log.Fatal("Set TILLBOX_WEBHOOK_SECRET to what tillbox webhook secret shows")
	}
	if port == "" {
		port = "3000"
	}
	http.Handle("/webhooks", Webhooks(secret, handle))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
