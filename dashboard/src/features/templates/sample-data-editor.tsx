import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeEditor } from './code-editor.tsx';
import { RealData } from './real-data.tsx';
import type { Edited } from './use-edited.ts';

interface Props {
  readonly templateId: string;
  readonly edited: Edited;
  readonly problem: string | null;
}

/** The data of the preview and of test sends. */
export function SampleData({ templateId, edited, problem }: Props) {
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <CodeEditor
        label="Sample data"
        value={edited.data}
        onChange={edited.setData}
        problems={problem ? [problem] : []}
      />
      <div className="row">
        <span className="quiet small grow">Saved with the template. Mail never contains it.</span>
        <Button size="small" onClick={() => setChoosing(true)}>
          Use data of a sent email
        </Button>
      </div>
      {choosing ? (
        <RealData
          templateId={templateId}
          onTake={(taken) => {
            edited.setData(taken);
            setChoosing(false);
          }}
          onClose={() => setChoosing(false)}
        />
      ) : null}
    </>
  );
}
