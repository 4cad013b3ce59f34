import type { TemplateDetail } from '@postrider/sdk';
import { useState } from 'react';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { PickedPlace } from '../../ui/message-frame.tsx';
import { COLOURS, type Colours, MessageView, SHAPES, type Shape } from '../../ui/message-preview.tsx';
import { Card, Loading } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { TestSend } from './test-send.tsx';
import type { Edited } from './use-edited.ts';
import type { PreviewState } from './use-preview.ts';
import type { Saving } from './use-save.ts';

const VIEWS = [...SHAPES, { key: 'text', label: 'Text' }] as const;

interface Props {
  readonly template: TemplateDetail;
  readonly edited: Edited;
  readonly save: Saving;
  readonly preview: PreviewState;
  readonly locale: string | null;
  readonly onPick: (place: PickedPlace) => void;
}

export function Preview({ template, edited, save, preview, locale, onPick }: Props) {
  const can = useCan();
  const [shape, setShape] = useState<(typeof VIEWS)[number]['key']>('desktop');
  const [colours, setColours] = useState<Colours>('light');
  const [testing, setTesting] = useState(false);
  const { result } = preview;
  return (
    <>
      <Card
        title="Preview"
        flush
        actions={
          <span className="row">
            <Segments label="Width" options={VIEWS} chosen={shape} onChoose={setShape} />
            {shape === 'text' ? null : (
              <Segments label="Colours" options={COLOURS} chosen={colours} onChoose={setColours} />
            )}
            {can.change && template.is_active && template.kind === 'template' ? (
              <Button size="small" onClick={() => setTesting(true)}>
                Send test
              </Button>
            ) : null}
          </span>
        }
      >
        {result ? (
          <>
            {template.kind === 'template' ? (
              <p className="card-body">
                <span className="quiet">Subject:</span>{' '}
                <strong data-preview="subject">{result.subject}</strong>
              </p>
            ) : null}
            <Body shape={shape} colours={colours} html={result.html} text={result.text} onPick={onPick} />
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
            {result.warnings.map(({ message, source, line }) => (
              <li key={`${source} ${line} ${message}`}>
                {source === null ? message : `In ${source}, line ${line}: ${message}`}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {testing ? (
        <TestSend edited={edited} save={save} locale={locale} onClose={() => setTesting(false)} />
      ) : null}
    </>
  );
}

function Body({
  shape,
  colours,
  html,
  text,
  onPick,
}: {
  readonly shape: Shape | 'text';
  readonly colours: Colours;
  readonly html: string;
  readonly text: string;
  readonly onPick: (place: PickedPlace) => void;
}) {
  if (shape === 'text')
    return <pre className="preview-text">{text === '' ? 'This template has no text part.' : text}</pre>;
  return (
    <div className="preview-stage">
      <MessageView html={html} title={`Preview at ${shape} width`} {...{ shape, colours, onPick }} />
    </div>
  );
}
