import { added, modified } from '../sampleFile.ts'
import type { SamplePull } from '../samplePull.ts'

export const zstdResponses: SamplePull = {
  owner: 'tidewater',
  repo: 'sluice',
  number: 340,
  title: 'Compress responses with zstd when the client accepts it',
  body: `Our largest customers read JSON exports of 5–20 MB. gzip at level 6 costs us 38% of the gateway's CPU.

zstd at its fastest level makes the same bodies about 4% smaller and takes a third of the time. Browsers and current
curl send \`Accept-Encoding: zstd\`, everybody else still gets gzip. Bodies below 1 KiB are left alone, as before.

Closes #327.`,
  author: 'ines-okafor',
  createdAt: '2026-09-02T08:14:05Z',
  updatedAt: '2026-09-04T15:40:51Z',
  mergedAt: '2026-09-04T15:40:50Z',
  commits: [
    { message: 'Offer zstd beside gzip', author: 'ines-okafor', at: '2026-09-02T07:58:12Z' },
    { message: 'Respect q=0, which refuses an encoding', author: 'ines-okafor', at: '2026-09-03T10:21:44Z' },
    { message: 'Reuse encoders: a new one costs 1.2 MB', author: 'ines-okafor', at: '2026-09-04T09:02:30Z' },
  ],
  comments: [
    {
      author: 'dmitri-vale',
      at: '2026-09-02T11:30:00Z',
      body: 'Benchmarked on the export replay: p99 goes from 410 ms to 190 ms, CPU of the gateway from 71% to 46%.',
    },
  ],
  reviewComments: [
    {
      author: 'dmitri-vale',
      at: '2026-09-03T09:47:19Z',
      body: '`Accept-Encoding: zstd;q=0, gzip` means "never zstd". This would send it anyway.',
      path: 'gateway/compress.go',
      line: 65,
    },
  ],
  reviews: [
    { author: 'dmitri-vale', at: '2026-09-03T09:48:02Z', body: 'One thing about q=0.', state: 'CHANGES_REQUESTED' },
    { author: 'dmitri-vale', at: '2026-09-04T15:31:27Z', body: 'Pooling is a nice touch.', state: 'APPROVED' },
  ],
  files: [
    modified(
      'gateway/compress.go',
      `
@@ 2

 import (
 	"compress/gzip"
+	"io"
 	"net/http"
+	"strconv"
 	"strings"
+	"sync"
+
+	"github.com/klauspost/compress/zstd"
 )

 // Bodies below this many bytes are not worth the header.
 const smallest = 1024

+// An encoder holds about 1.2 MB, so they are used again.
+var encoders = sync.Pool{
+	New: func() any {
+		encoder, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
+		return encoder
+	},
+}
+
 type compressedWriter struct {
 	http.ResponseWriter
-	body *gzip.Writer
+	body io.WriteCloser
 }

 func (w *compressedWriter) Write(bytes []byte) (int, error) {
@@ 31 func Compress(next http.Handler) http.Handler {
 			next.ServeHTTP(w, r)
 			return
 		}
-		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
+		encoding := chosen(r.Header.Get("Accept-Encoding"))
+		if encoding == "" {
 			next.ServeHTTP(w, r)
 			return
 		}
-		w.Header().Set("Content-Encoding", "gzip")
+		w.Header().Set("Content-Encoding", encoding)
 		w.Header().Add("Vary", "Accept-Encoding")
-		body := gzip.NewWriter(w)
+		body := writerFor(encoding, w)
 		defer body.Close()
 		next.ServeHTTP(&compressedWriter{w, body}, r)
 	})
 }
+
+// chosen names the best encoding that the client accepts; a weight of 0 refuses one.
+func chosen(accepted string) string {
+	for _, name := range []string{"zstd", "gzip"} {
+		for _, offer := range strings.Split(accepted, ",") {
+			coding, parameters, _ := strings.Cut(strings.TrimSpace(offer), ";")
+			if strings.EqualFold(coding, name) && weight(parameters) > 0 {
+				return name
+			}
+		}
+	}
+	return ""
+}
+
+func weight(parameters string) float64 {
+	_, value, found := strings.Cut(parameters, "q=")
+	if !found {
+		return 1
+	}
+	weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
+	if err != nil {
+		return 0
+	}
+	return weight
+}
+
+func writerFor(encoding string, w io.Writer) io.WriteCloser {
+	if encoding == "gzip" {
+		return gzip.NewWriter(w)
+	}
+	encoder := encoders.Get().(*zstd.Encoder)
+	encoder.Reset(w)
+	return &pooled{encoder}
+}
+
+type pooled struct{ *zstd.Encoder }
+
+func (p *pooled) Close() error {
+	err := p.Encoder.Close()
+	encoders.Put(p.Encoder)
+	return err
+}
`,
    ),
    added(
      'gateway/compress_test.go',
      `
package gateway

import "testing"

func TestChosen(t *testing.T) {
	for accepted, want := range map[string]string{
		"":                      "",
		"br":                    "",
		"gzip, deflate":         "gzip",
		"gzip, deflate, zstd":   "zstd",
		"GZIP;q=0.5":            "gzip",
		"zstd;q=0, gzip":        "gzip",
		"zstd; q=0.0, gzip;q=0": "",
	} {
		if got := chosen(accepted); got != want {
			t.Errorf("chosen(%q) = %q, want %q", accepted, got, want)
		}
	}
}
`,
    ),
    modified(
      'go.mod',
      `
@@ 4

 require (
 	github.com/go-chi/chi/v5 v5.2.3
+	github.com/klauspost/compress v1.18.0
 	go.uber.org/zap v1.27.0
 )
`,
    ),
    modified(
      'go.sum',
      `
@@ 3
 github.com/davecgh/go-spew v1.1.1/go.mod h1:J7Y8YcW2NihsgmVo/mv3lAwl/skON4iLHjSsI+c5H38=
 github.com/go-chi/chi/v5 v5.2.3 h1:WQIt9uxdsAbgIYgid+BpYc+liqQZGMHRaUwp0JUcvdE=
 github.com/go-chi/chi/v5 v5.2.3/go.mod h1:L2yAIGWB3H+phAw1NxKwWM+7eUH/lU8pOMm5hHcoops=
+github.com/klauspost/compress v1.18.0 h1:c/Cqfb0r+Yi+JtIEq73FWXVkRonBlf0CRNYc8Zttxdo=
+github.com/klauspost/compress v1.18.0/go.mod h1:2Pp+KzxcywXVXMr50+X0Q/Lsb43OQHYWRCY2AiWywWQ=
 github.com/pmezard/go-difflib v1.0.0 h1:4DBwDE0NGyQoBHbLQYPwSUPoCMWR5BEzIk/f1lZbAQM=
 github.com/pmezard/go-difflib v1.0.0/go.mod h1:iKH77koFhYxTK1pcRnkKkqfTogsbg7gZNVY4sRDYZ/4=
 go.uber.org/zap v1.27.0 h1:aJMhYGrd5QSmlpLMr2MftRKl7t8J8PTZPA732ud/XR8=
`,
    ),
    modified(
      'docs/operations.md',
      `
@@ 57

 ## Compression

-Answers of 1 KiB and more are compressed with gzip if the client accepts it.
+Answers of 1 KiB and more are compressed with zstd if the client accepts it, else with gzip.
+A proxy in front that cannot read zstd should remove it from \`Accept-Encoding\`.

 Exports can be excluded by path with \`SLUICE_PLAIN_PATHS\`.
`,
    ),
  ],
}
