/** How two states of a template look with the same data. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { MessageView, SHAPES, type Shape } from '../../ui/message-preview.tsx';
import { Loading } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { parseData } from '../compose/draft.ts';
import type { Compare, Side } from './compare.tsx';
import { contentOf } from './draft.ts';
import type { Rule } from './rules.ts';

type Props = Pick<Parameters<typeof Compare>[0], 'template' | 'before' | 'after' | 'data'>;

export function ComparePreviews({ before, after, ...shared }: Props) {
  const [shape, setShape] = useState<Shape>('desktop');
  return (
    <>
      <div>
        <Segments label="Width" options={SHAPES} chosen={shape} onChoose={setShape} />
      </div>
      <div className="sides">
        {[before, after].map((side, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: there are always two
          <SidePreview key={at} side={side} shape={shape} {...shared} />
        ))}
      </div>
    </>
  );
}

interface SideProps extends Pick<Props, 'template' | 'data'> {
  readonly side: Side;
  readonly shape: Shape;
}

function SidePreview({ template: { id, kind }, data, side, shape }: SideProps) {
  const { html_body: html, text_body: text, variable_schema, ...rest } = side.content;
  const content = contentOf(kind, {
    ...rest,
    html,
    text,
    variable_schema: variable_schema as unknown as Rule[],
  });
  const preview = useQuery({
    queryKey: ['templates', id, 'preview', content, data],
    queryFn: () => api.templates.preview(id, { ...content, data: parseData(data) }),
    staleTime: 60_000,
  });
  return (
    <section className="side">
      <div className="card-body">
        <h3>{side.name}</h3>
        {preview.data && kind === 'template' ? <p className="quiet wrap">{preview.data.subject}</p> : null}
      </div>
      {preview.data ? (
        <MessageView
          html={preview.data.html}
          title={`Preview of ${side.name}`}
          shape={shape}
          colours="light"
        />
      ) : preview.error ? (
        <ErrorNote error={preview.error} />
      ) : (
        <Loading />
      )}
    </section>
  );
}
