/** Files that go along with an email. */
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { DraftFile } from './draft.ts';

export interface AttachedFile extends DraftFile {
  readonly size: number;
}

/** What a request has room for beside the rest of the message; the server has the last word. */
const MAX_BYTES = 15_000_000;

interface Props {
  readonly files: readonly AttachedFile[];
  readonly onChange: (files: readonly AttachedFile[]) => void;
}

export function AttachFiles({ files, onChange }: Props) {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const add = async (chosen: readonly File[]) => {
    const bytes = [...files, ...chosen].reduce((sum, { size }) => sum + size, 0);
    if (bytes > MAX_BYTES) {
      setProblem(
        'The attachments are larger than 15 MB together. Remove some of them, or send a link instead.',
      );
      return;
    }
    setProblem(undefined);
    onChange([...files, ...(await Promise.all(chosen.map(readFile)))]);
  };
  return (
    <div className="stack-small">
      <Field
        label="Attachments"
        hint="Up to 15 MB together. A draft does not keep attachments."
        problem={problem}
      >
        {(wiring) => (
          <input
            {...wiring}
            type="file"
            multiple
            className="input"
            onChange={(event) => {
              void add([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
        )}
      </Field>
      {files.length > 0 ? (
        <ul className="stack-small plain-list">
          {files.map((file, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be there twice
            <li key={place} className="row">
              <span className="grow wrap">
                {file.filename} <span className="quiet small">{file.size.toLocaleString()} bytes</span>
              </span>
              <IconButton
                icon="close"
                label={`Remove ${file.filename}`}
                onClick={() => onChange(files.filter((_, other) => other !== place))}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function readFile(file: File): Promise<AttachedFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error);
    reader.onload = () => {
      const url = String(reader.result);
      resolve({
        filename: file.name,
        content_type: file.type || 'application/octet-stream',
        content: url.slice(url.indexOf(',') + 1),
        size: file.size,
      });
    };
    reader.readAsDataURL(file);
  });
}
