/** The example of an operation in every language. */
import { curl } from './languages/curl.ts';
import { go } from './languages/go.ts';
import { javascript } from './languages/javascript.ts';
import { php } from './languages/php.ts';
import { python } from './languages/python.ts';
import { ruby } from './languages/ruby.ts';
import type { ExampleRequest } from './request.ts';

/** By the name that the reader sees; `fence` is what code highlighters call it. */
export const LANGUAGES = {
  curl: { fence: 'sh', write: curl },
  JavaScript: { fence: 'js', write: javascript },
  Python: { fence: 'python', write: python },
  PHP: { fence: 'php', write: php },
  Go: { fence: 'go', write: go },
  Ruby: { fence: 'ruby', write: ruby },
} as const satisfies Record<string, { fence: string; write: (request: ExampleRequest) => string }>;

export type Language = keyof typeof LANGUAGES;

export function codeGroup(request: ExampleRequest): string {
  const blocks = Object.entries(LANGUAGES).map(
    ([name, { fence, write }]) => `\`\`\`${fence} [${name}]\n${write(request)}\n\`\`\``,
  );
  return ['::: code-group', ...blocks, ':::'].join('\n\n');
}
