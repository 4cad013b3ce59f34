import { useState } from 'react';
import { IconButton } from './button.tsx';
import { useToast } from './toast.tsx';

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [done, setDone] = useState(false);
  const say = useToast();
  const copy = async () => {
    try {
      await writeClipboard(text);
      setDone(true);
      setTimeout(() => setDone(false), 1500);
      say('Copied.');
    } catch {
      say('The browser does not allow copying here. Select the text and copy it by hand.', 'bad');
    }
  };
  return <IconButton className="copy" icon={done ? 'check' : 'copy'} label={label} onClick={copy} />;
}

/** A value that people take elsewhere. */
export function Copyable({ text, label }: { readonly text: string; readonly label?: string }) {
  return (
    <span className="copyable">
      <code className="wrap">{text}</code>
      <CopyButton text={text} label={label ?? `Copy ${text}`} />
    </span>
  );
}

export function CodeBlock({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  return (
    <div className="code">
      <pre>{text}</pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

/** Plain http on another host than localhost has no clipboard API; the old command still works there. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (!copied) throw new Error('not copied');
}
