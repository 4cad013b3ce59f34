/** What the recipient will see. A template is rendered by the server, as it is when it is sent. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNote } from '../../ui/error-note.tsx';
import { COLOURS, type Colours, MessageView, SHAPES, type Shape } from '../../ui/message-preview.tsx';
import { Card } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { previewQuery } from '../templates/queries.ts';
import { useSettled } from '../templates/use-settled.ts';
import { type Draft, parseData } from './draft.ts';

export function ComposePreview({ draft }: { readonly draft: Draft }) {
  const [shape, setShape] = useState<Shape>('desktop');
  const [colours, setColours] = useState<Colours>('light');
  const wanted: Draft = JSON.parse(useSettled(JSON.stringify(draft)));
  const data = dataOf(wanted);
  const isTemplate = draft.by === 'template';
  const rendered = useQuery({
    ...previewQuery(wanted.templateId, data ?? {}, wanted.subject),
    enabled: isTemplate && wanted.templateId !== '' && data !== null,
  });
  const shown = isTemplate ? rendered.data : wanted;
  if (!shown || (shown.html === '' && shown.text === ''))
    return isTemplate && rendered.error ? <ErrorNote error={rendered.error} /> : null;
  return (
    <Card
      title="Preview"
      flush
      actions={
        <span className="row">
          <Segments label="Width" options={SHAPES} chosen={shape} onChoose={setShape} />
          <Segments label="Colours" options={COLOURS} chosen={colours} onChoose={setColours} />
        </span>
      }
    >
      {isTemplate ? (
        <p className="card-body">
          <span className="quiet">Subject:</span> <strong>{shown.subject}</strong>
        </p>
      ) : null}
      {shown.html === '' ? (
        <pre className="preview-text">{shown.text}</pre>
      ) : (
        <MessageView html={shown.html} title="Preview" shape={shape} colours={colours} />
      )}
    </Card>
  );
}

/** Null while it is no JSON: the field says so when it is sent. */
function dataOf({ templateData }: Draft): Record<string, unknown> | null {
  try {
    return parseData(templateData);
  } catch {
    return null;
  }
}
