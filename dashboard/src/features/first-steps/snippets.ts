/** The request that sends a first email, in the languages people ask for. Every one of them is run by a test. */

interface SnippetPlace {
  /** Where the installation is: `https://mail.example.org`. */
  readonly origin: string;
  readonly from: string;
  readonly to: string;
}

export const LANGUAGES = [
  { key: 'curl', label: 'curl' },
  { key: 'node', label: 'Node.js' },
  { key: 'python', label: 'Python' },
  { key: 'php', label: 'PHP' },
  { key: 'ruby', label: 'Ruby' },
  { key: 'go', label: 'Go' },
] as const;

type Language = (typeof LANGUAGES)[number]['key'];

export function snippet(language: Language, place: SnippetPlace): string {
  return WRITERS[language](place);
}

const WRITERS: Readonly<Record<Language, (place: SnippetPlace) => string>> = {
  curl: ({ origin, from, to }) => `curl ${origin}/api/v1/emails/send \\
  -H "Authorization: Bearer $POSTRIDER_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"from": {"email": "${from}"}, "to": [{"email": "${to}"}],
       "subject": "Hello from curl", "text": "It works."}'`,

  node: ({ origin, from, to }) => `// Node.js 18 or newer: save as send.mjs, run with "node send.mjs"
const response = await fetch('${origin}/api/v1/emails/send', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.POSTRIDER_API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    from: { email: '${from}' },
    to: [{ email: '${to}' }],
    subject: 'Hello from Node.js',
    text: 'It works.',
  }),
});
console.log(response.status, await response.json());`,

  python: ({ origin, from, to }) => `import json, os, urllib.request

request = urllib.request.Request(
    "${origin}/api/v1/emails/send",
    headers={
        "Authorization": "Bearer " + os.environ["POSTRIDER_API_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "from": {"email": "${from}"},
        "to": [{"email": "${to}"}],
        "subject": "Hello from Python",
        "text": "It works.",
    }).encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`,

  php: ({ origin, from, to }) => `<?php
$response = file_get_contents('${origin}/api/v1/emails/send', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer ' . getenv('POSTRIDER_API_KEY'),
        'Content-Type: application/json',
    ],
    'content' => json_encode([
        'from' => ['email' => '${from}'],
        'to' => [['email' => '${to}']],
        'subject' => 'Hello from PHP',
        'text' => 'It works.',
    ]),
    'ignore_errors' => true,
]]));
echo $http_response_header[0], ' ', $response, PHP_EOL;`,

  ruby: ({ origin, from, to }) => `require 'json'
require 'net/http'

response = Net::HTTP.post(
  URI('${origin}/api/v1/emails/send'),
  {
    from: { email: '${from}' },
    to: [{ email: '${to}' }],
    subject: 'Hello from Ruby',
    text: 'It works.'
  }.to_json,
  'Authorization' => "Bearer #{ENV['POSTRIDER_API_KEY']}",
  'Content-Type' => 'application/json'
)
puts response.code, response.body`,

  go: ({ origin, from, to }) => `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader(\`{
		"from": {"email": "${from}"},
		"to": [{"email": "${to}"}],
		"subject": "Hello from Go",
		"text": "It works."
	}\`)
	request, _ := http.NewRequest("POST", "${origin}/api/v1/emails/send", body)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("POSTRIDER_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, string(answer))
}`,
};
