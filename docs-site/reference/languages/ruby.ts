/** Requests with Ruby's net/http. */
import { literal, RUBY } from '../literals.ts';
import { type ExampleRequest, headersOf, targetOf } from '../request.ts';

export function ruby(request: ExampleRequest): string {
  const { method, body, isStream } = request;
  const headers = headersOf(request).map(
    ({ name, text, variable }) =>
      `request['${name}'] = ${variable ? `"${text}#{ENV.fetch('${variable}')}"` : RUBY.text(text)}`,
  );
  const ask = isStream
    ? '  http.request(request) { |response| response.read_body { |part| print part } }'
    : '  puts http.request(request).body';
  return [
    ...(body === undefined ? [] : [`require 'json'`]),
    `require 'net/http'`,
    '',
    `uri = URI(ENV.fetch('POSTRIDER_URL') + ${RUBY.text(targetOf(request))})`,
    `request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)`,
    ...headers,
    ...(body === undefined ? [] : [`request.body = JSON.generate(${literal(body, RUBY)})`]),
    `Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == 'https') do |http|`,
    ask,
    'end',
  ].join('\n');
}
