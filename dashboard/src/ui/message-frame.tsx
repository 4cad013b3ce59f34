/**
 * Shows HTML that somebody else wrote. The frame is an empty page of our own, served with a policy that allows
 * styles and embedded images and nothing else: no script, no form, no request to any host. It is sandboxed besides,
 * so that nothing in it runs even if that policy were lost. `allow-same-origin` is what lets us write into it; without
 * `allow-scripts` there is nobody inside who could use it.
 */
import { useEffect, useRef, useState } from 'react';

interface Props {
  readonly html: string;
  readonly title: string;
  readonly phone?: boolean;
}

const SHORTEST_PX = 140;
const TALLEST_PX = 4000;

export function MessageFrame({ html, title, phone = false }: Props) {
  const ref = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const [foreign, setForeign] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: at another width it has another height
  useEffect(() => {
    const frame = ref.current;
    const page = frame?.contentDocument;
    if (!ready || !frame || !page?.documentElement) return;
    page.documentElement.innerHTML = html;
    // A page is never shorter than its window, so it is made short to be measured.
    frame.style.height = `${SHORTEST_PX}px`;
    frame.style.height = `${Math.min(TALLEST_PX, page.documentElement.scrollHeight + 4)}px`;
    setForeign(page.querySelector('img[src^="http"], [background^="http"]') !== null);
    // Links are shown and not followed: a preview must not leave traces with anybody.
    const show = (event: Event) => {
      const target = (event.target as Element | null)?.closest?.('a[href]');
      if (!target) return;
      event.preventDefault();
      setLink(target.getAttribute('href'));
    };
    page.addEventListener('click', show);
    return () => page.removeEventListener('click', show);
  }, [html, ready, phone]);

  return (
    <div>
      <iframe
        ref={ref}
        className={`frame ${phone ? 'phone' : ''}`}
        title={title}
        sandbox="allow-same-origin"
        src="/frame.html"
        onLoad={() => setReady(true)}
      />
      {foreign ? <p className="small quiet card-body">Images from other hosts are not loaded here.</p> : null}
      {link === null ? null : (
        <p className="small quiet card-body wrap" role="status">
          This link leads to <code>{link}</code>
        </p>
      )}
    </div>
  );
}
