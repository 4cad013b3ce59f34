/** Requests with Go's net/http. */
import { goJson, goText } from '../literals.ts';
import { type ExampleRequest, headersOf, targetOf } from '../request.ts';

export function go(request: ExampleRequest): string {
  const { method, body } = request;
  const imports = ['io', 'log', 'net/http', 'os', ...(body === undefined ? [] : ['strings'])];
  const headers = headersOf(request).map(
    ({ name, text, variable }) =>
      `	request.Header.Set("${name}", ${goText(text)}${variable ? `+os.Getenv("${variable}")` : ''})\n`,
  );
  const sent = body === undefined ? '' : `	body := strings.NewReader(${goJson(body)})\n`;
  return `package main

import (
${imports.map((name) => `	"${name}"\n`).join('')})

func main() {
${sent}	request, err := http.NewRequest("${method}", os.Getenv("POSTRIDER_URL")+${goText(targetOf(request))}, ${body === undefined ? 'nil' : 'body'})
	if err != nil {
		log.Fatal(err)
	}
${headers.join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
}`;
}
