/** Requests as lines for a shell. */
import { inShellQuotes, JSON_TEXT, literal, shellText } from '../literals.ts';
import { type ExampleRequest, headersOf, targetOf } from '../request.ts';

export function curl(request: ExampleRequest): string {
  const { method, body, isStream } = request;
  const options = [...(isStream ? ['-N'] : []), ...(method === 'GET' ? [] : [`-X ${method}`])];
  const lines = [
    ['curl', ...options, `"$POSTRIDER_URL${inShellQuotes(targetOf(request))}"`].join(' '),
    ...headersOf(request).map(
      ({ name, text, variable }) => `-H "${name}: ${text}${variable ? `$${variable}` : ''}"`,
    ),
    ...(body === undefined ? [] : [`-d ${shellText(literal(body, JSON_TEXT))}`]),
  ];
  return lines.join(' \\\n  ');
}
