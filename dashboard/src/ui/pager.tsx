import { Button } from './button.tsx';

interface Props {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly noun: string;
  readonly onPage: (page: number) => void;
}

export function Pager({ page, pages, total, noun, onPage }: Props) {
  return (
    <nav className="card-body spread" aria-label="Pages">
      <span className="quiet small number">
        {total.toLocaleString()} {noun}
        {pages > 1 ? `, page ${page.toLocaleString()} of ${pages.toLocaleString()}` : ''}
      </span>
      {pages > 1 ? (
        <span className="row">
          <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Newer
          </Button>
          <Button size="small" disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Older
          </Button>
        </span>
      ) : null}
    </nav>
  );
}
