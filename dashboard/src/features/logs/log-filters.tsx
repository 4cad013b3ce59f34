import type { SearchChanges } from '../../app/list-search.ts';
import { DayRange } from '../../ui/day-range.tsx';
import { SelectField } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { REASONS } from './reasons.ts';
import type { LogSearch } from './search.ts';

interface Props {
  readonly search: LogSearch;
  readonly filtered: boolean;
  readonly onChange: (changes: SearchChanges<LogSearch>) => void;
  readonly onClear: () => void;
}

export function LogFilters({ search, filtered, onChange, onClear }: Props) {
  return (
    <FilterBar
      more={<MoreFilters search={search} onChange={onChange} />}
      usesMore={usesMore(search)}
      onClear={filtered ? onClear : null}
    >
      <SearchInput
        label="Recipient"
        hint="A whole address"
        placeholder="ada@example.org"
        value={search.recipient}
        isComplete={(text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)}
        onSettled={(recipient) => onChange({ recipient })}
      />
      <SearchInput
        label="Path"
        placeholder="/emails/send, or smtp"
        value={search.path}
        onSettled={(path) => onChange({ path })}
      />
      <SelectField
        label="Reason"
        value={search.code ?? ''}
        onChange={(event) => onChange({ code: event.target.value || undefined })}
      >
        <option value="">Any</option>
        {Object.entries(REASONS).map(([code, words]) => (
          <option key={code} value={code}>
            {words}
          </option>
        ))}
      </SelectField>
      <DayRange days={search} onChange={onChange} />
    </FilterBar>
  );
}

function MoreFilters({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  return (
    <>
      <SearchInput
        label="Status"
        hint="Three digits"
        placeholder="400"
        inputMode="numeric"
        value={search.status}
        isComplete={(text) => /^[1-5]\d\d$/.test(text)}
        onSettled={(status) => onChange({ status })}
      />
      <SearchInput
        label="API key"
        placeholder="key_…"
        value={search.key_id}
        onSettled={(key_id) => onChange({ key_id })}
      />
      <SearchInput
        label="Request id"
        placeholder="req_…"
        value={search.request_id}
        onSettled={(request_id) => onChange({ request_id })}
      />
    </>
  );
}

function usesMore({ status, key_id, request_id }: LogSearch): boolean {
  return [status, key_id, request_id].some((value) => value !== undefined);
}
