import { useMutation } from '@tanstack/react-query';
import { Button } from './button.tsx';
import { type ExportedRows, exportRows } from './csv.ts';
import { messageOf } from './error-note.tsx';
import { saveFile } from './save-file.ts';
import { useToast } from './toast.tsx';

interface Props {
  /** Of the file. */
  readonly name: string;
  /** All rows, as they are filtered now. */
  readonly rows: () => ExportedRows;
}

/** Saves a whole list as CSV, not only the page that is shown. */
export function ExportButton({ name, rows }: Props) {
  const say = useToast();
  const save = useMutation({
    mutationFn: async () => {
      const exported = await exportRows(rows());
      saveFile(new Blob([exported.csv], { type: 'text/csv' }), `${name}.csv`);
      return exported;
    },
    onSuccess: ({ count, isCut }) =>
      say(
        isCut
          ? `The first ${count.toLocaleString()} were saved; the API has the rest.`
          : `${count.toLocaleString()} ${count === 1 ? 'row was' : 'rows were'} saved.`,
      ),
    onError: (error) => say(messageOf(error), 'bad'),
  });
  return (
    <Button size="small" icon="download" busy={save.isPending} onClick={() => save.mutate()}>
      CSV
    </Button>
  );
}
