/**
 * The examples of a page, in order. What is shown below a request is its answer; where it is something else, a comment
 * that readers do not see says what:
 *
 *   <!-- answers: GET /auth/me -->     what this request is answered by the installation of the test
 *   <!-- response: POST /invites -->   what the OpenAPI document says that this request is answered
 *   <!-- body: POST /auth/sign-in -->  what it says that this request takes
 *   <!-- webhook: domain.failing -->   what it says that this webhook carries
 *   <!-- shape: Email.events -->       one of its schemas, or a field of it, or an entry of that
 *   <!-- example: node -->             run by a test of its own
 */
import type { DocsPage } from './pages.ts';

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** Its name where the same is shown in several languages. */
  readonly tab: string | null;
  readonly code: string;
  /** What the comment before it says, such as `shape: Site`. */
  readonly note: string | null;
  /** The page says that only a part is shown. */
  readonly isShortened: boolean;
}

export function blocksOf({ name, text }: DocsPage): Block[] {
  const blocks: Block[] = [];
  let end = 0;
  for (const match of text.matchAll(/^```(\w*)(?: \[([^\]]+)\])?\n([\s\S]*?)^```$/gm)) {
    const before = text.slice(end, match.index);
    const paragraphs = before
      .replace(/<!--[\s\S]*?-->/g, '')
      .trim()
      .split(/\n\n/);
    blocks.push({
      page: name,
      line: text.slice(0, match.index).split('\n').length,
      language: match[1] ?? '',
      tab: match[2] ?? null,
      code: match[3] ?? '',
      note: /<!-- ([^\n]*?) -->\s*$/.exec(before)?.[1] ?? null,
      isShortened: /shortened/i.test(paragraphs.at(-1) ?? ''),
    });
    end = match.index + match[0].length;
  }
  return blocks;
}

export const placeOf = ({ page, line }: Block): string => `${page}:${line}`;

/** What is not run: it changes the machine, or stays running. Tests of their own start, stop, migrate and ask. */
const NOT_RUN =
  /^(npm|npx postrider|postrider|node|psql|pg_dump|tar|gzip|sha256sum|export|URL=|\w+_AT=\d+ docker|(?:POSTRIDER|DATABASE)_\w+=|docker |ssh -L|pkill -HUP|mkdir|timeout \d+ sh|kubectl |systemctl|install|openssl|sh ops\/|certbot| +--deploy-hook|#)/;

export function isRun({ code }: Block): boolean {
  return /^\s*curl /m.test(code);
}

/** Lines of a block that is not run, and that nobody said need not be. */
export function unknownLines({ code }: Block): string[] {
  return code.split('\n').filter((line) => line !== '' && !NOT_RUN.test(line));
}
