/**
 * `::: code-group`, blocks of code, `:::` is the same example in several languages. Without a script all of them are shown; with
 * it they are tabs (`browser/tabs.ts`).
 */
import type { MarkdownIt } from 'markdown-it';

const OPEN = /^::: code-group\s*$/;
const CLOSE = /^:::\s*$/;

export function codeGroups(markdown: MarkdownIt): void {
  markdown.block.ruler.before(
    'fence',
    'code_group',
    (state, startLine, endLine, silent) => {
      const lineAt = (line: number) => state.getLines(line, line + 1, state.blkIndent, false);
      if (!OPEN.test(lineAt(startLine))) return false;
      let end = startLine + 1;
      while (end < endLine && !CLOSE.test(lineAt(end))) end++;
      if (end === endLine) return false;
      if (silent) return true;
      state.push('code_group_open', 'div', 1).attrSet('class', 'code-group');
      state.md.block.tokenize(state, startLine + 1, end);
      state.push('code_group_close', 'div', -1);
      state.line = end + 1;
      return true;
    },
    { alt: ['paragraph'] },
  );
}
