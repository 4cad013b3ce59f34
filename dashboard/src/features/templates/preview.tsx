import type { TemplateDetail } from '@postrider/sdk';
import { useState } from 'react';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MessageFrame } from '../../ui/message-frame.tsx';
import { Card, Loading } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { TestSend } from './test-send.tsx';
import type { PreviewState } from './use-preview.ts';

const SHAPES = [
  { key: 'desktop', label: 'Desktop' },
  { key: 'phone', label: 'Phone' },
  { key: 'text', label: 'Text' },
] as const;

interface Props {
  readonly template: TemplateDetail;
  readonly preview: PreviewState;
  readonly data: string;
}

export function Preview({ template, preview, data }: Props) {
  const can = useCan();
  const [shape, setShape] = useState<(typeof SHAPES)[number]['key']>('desktop');
  const [testing, setTesting] = useState(false);
  const { result } = preview;
  return (
    <div className="stack">
      <Card
        title="Preview"
        flush
        actions={
          <span className="row">
            <Segments label="Width" options={SHAPES} chosen={shape} onChoose={setShape} />
            {can.change && template.is_active ? (
              <Button size="small" onClick={() => setTesting(true)}>
                Send a test
              </Button>
            ) : null}
          </span>
        }
      >
        {result ? (
          <>
            <p className="card-body">
              <span className="quiet">Subject:</span> <strong data-preview="subject">{result.subject}</strong>
            </p>
            <Body shape={shape} html={result.html} text={result.text} />
          </>
        ) : preview.error ? null : (
          <Loading />
        )}
        <ErrorNote error={preview.error} known={['html', 'text', 'subject']} />
      </Card>
      {result && result.warnings.length > 0 ? (
        <div className="note warn">
          <Icon name="alert" />
          <ul>
            {result.warnings.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </div>
      ) : null}
      {testing ? <TestSend template={template} data={data} onClose={() => setTesting(false)} /> : null}
    </div>
  );
}

function Body({
  shape,
  html,
  text,
}: {
  readonly shape: 'desktop' | 'phone' | 'text';
  readonly html: string;
  readonly text: string;
}) {
  if (shape === 'text')
    return <pre className="preview-text">{text === '' ? 'This template has no text part.' : text}</pre>;
  return (
    <div className="preview-stage">
      <MessageFrame html={html} title={`Preview at ${shape} width`} phone={shape === 'phone'} />
    </div>
  );
}
