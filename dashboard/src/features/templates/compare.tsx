/** What differs between two states of a template, part by part and language by language. */
import type { TemplateVersion } from '@postrider/sdk';
import { Dialog } from '../../ui/dialog.tsx';
import { diffWithin } from './diff.ts';

type Content = Pick<TemplateVersion, 'subject' | 'layout' | 'html_body' | 'text_body' | 'translations'>;

interface CompareProps {
  readonly title: string;
  readonly before: Content;
  readonly after: Content;
  readonly onClose: () => void;
}

export function Compare({ title: heading, before: older, after: newer, onClose }: CompareProps) {
  const parts = partsOf(older, newer).filter(({ before, after }) => before !== after);
  return (
    <Dialog title={heading} onClose={onClose} className="wide-dialog">
      <div className="stack">
        {parts.length === 0 ? <p className="quiet">There are no differences.</p> : null}
        {parts.map(({ title, before, after }) => (
          <section key={title} className="stack-small">
            <h3>{title}</h3>
            <div className="diff">
              {diffWithin(before, after).map(({ kind, parts: pieces }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
                <div key={place} className={kind}>
                  {kind === 'added' ? '+ ' : kind === 'removed' ? '− ' : '  '}
                  {pieces.map(({ text, changed }, at) =>
                    // biome-ignore lint/suspicious/noArrayIndexKey: nor have their pieces
                    changed ? <mark key={at}>{text}</mark> : text,
                  )}
                </div>
              ))}
            </div>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function partsOf(older: Content, newer: Content) {
  const locales = [...new Set([...older.translations, ...newer.translations].map(({ locale }) => locale))];
  return [
    { title: 'Subject', before: older.subject, after: newer.subject },
    { title: 'Layout', before: older.layout ?? 'none', after: newer.layout ?? 'none' },
    { title: 'HTML', before: older.html_body, after: newer.html_body },
    { title: 'Text', before: older.text_body, after: newer.text_body },
    ...locales.flatMap((locale) => {
      const [before, after] = [older, newer].map((one) =>
        one.translations.find((it) => it.locale === locale),
      );
      return [
        { title: `Subject, ${locale}`, before: before?.subject ?? '', after: after?.subject ?? '' },
        { title: `HTML, ${locale}`, before: before?.html ?? '', after: after?.html ?? '' },
        { title: `Text, ${locale}`, before: before?.text ?? '', after: after?.text ?? '' },
      ];
    }),
  ];
}
