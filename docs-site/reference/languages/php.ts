/** Requests with what PHP has without extensions. */
import { literal, PHP } from '../literals.ts';
import { type ExampleRequest, headersOf, targetOf } from '../request.ts';

export function php(request: ExampleRequest): string {
  const { method, body, isStream } = request;
  const headers = headersOf(request).map(
    ({ name, text, variable }) =>
      `        ${PHP.text(`${name}: ${text}`)}${variable ? ` . getenv('${variable}')` : ''},\n`,
  );
  const options = [
    `    'method' => '${method}',`,
    ...(headers.length === 0 ? [] : [`    'header' => [\n${headers.join('')}    ],`]),
    ...(body === undefined ? [] : [`    'content' => json_encode(${literal(body, PHP, 1)}),`]),
    ...(isStream ? [] : [`    'ignore_errors' => true, // the answer says what is wrong`]),
  ];
  const address = `getenv('POSTRIDER_URL') . ${PHP.text(targetOf(request))}`;
  const use = isStream
    ? `$stream = fopen(${address}, 'r', false, $context);\nwhile (($line = fgets($stream)) !== false) {\n    echo $line;\n}`
    : `echo file_get_contents(${address}, false, $context);`;
  return `<?php\n$context = stream_context_create(['http' => [\n${options.join('\n')}\n]]);\n${use}`;
}
