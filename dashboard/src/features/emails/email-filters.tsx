import { EMAIL_STATES, EMAIL_STATUSES } from '@postrider/sdk';
import type { SearchChanges } from '../../app/list-search.ts';
import { words } from '../../ui/badge.tsx';
import { DayRange } from '../../ui/day-range.tsx';
import { SelectField } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { useStreamNames } from '../streams/queries.ts';
import { DELIVERED, type EmailSearch } from './search.ts';

type Changes = SearchChanges<EmailSearch>;

interface Props {
  readonly search: EmailSearch;
  readonly filtered: boolean;
  readonly onChange: (changes: Changes) => void;
}

const NONE: Changes = {
  search: undefined,
  status: undefined,
  state: undefined,
  to: undefined,
  from: undefined,
  subject: undefined,
  tag: undefined,
  stream: undefined,
  batch_id: undefined,
  api_key_id: undefined,
  period: undefined,
  from_date: undefined,
  to_date: undefined,
};

const WHOLE = 'A whole address, or @example.org';
const isAddress = (text: string) => /^[^\s@]*@[^\s@]+\.[^\s@]+$/.test(text);

/** Some states are statuses of the API, the others tell those further apart. */
function filterBy(state: string): Changes {
  const isStatus = state === DELIVERED || EMAIL_STATUSES.some((status) => status === state);
  return { status: isStatus ? state : undefined, state: isStatus || state === '' ? undefined : state };
}

/** One box for whatever somebody remembers, and what people filter by first; the rest when it is asked for, or in use. */
export function EmailFilters({ search, onChange, filtered }: Props) {
  return (
    <FilterBar
      more={<MoreFilters search={search} onChange={onChange} />}
      usesMore={usesMore(search)}
      onClear={filtered ? () => onChange(NONE) : null}
    >
      <div className="wide-filter">
        <SearchInput
          label="Search"
          placeholder="Part of an address, name or subject; a tag, id, template…"
          value={search.search}
          onSettled={(text) => onChange({ search: text })}
        />
      </div>
      <SearchInput
        label="To"
        hint={WHOLE}
        placeholder="ada@example.org"
        value={search.to}
        isComplete={isAddress}
        onSettled={(to) => onChange({ to })}
      />
      <SelectField
        label="Status"
        value={search.state ?? search.status ?? ''}
        onChange={(event) => onChange(filterBy(event.target.value))}
      >
        <option value="">Any</option>
        <option value={DELIVERED}>delivered or opened</option>
        {EMAIL_STATES.map((state) => (
          <option key={state} value={state}>
            {words(state)}
          </option>
        ))}
      </SelectField>
      <DayRange days={search} onChange={onChange} />
    </FilterBar>
  );
}

function MoreFilters({ search, onChange }: Omit<Props, 'filtered'>) {
  return (
    <>
      <SearchInput
        label="Subject"
        placeholder="Any part of the subject"
        value={search.subject}
        onSettled={(subject) => onChange({ subject })}
      />
      <SearchInput
        label="From"
        hint={WHOLE}
        placeholder="@sandbox.test"
        value={search.from}
        isComplete={isAddress}
        onSettled={(from) => onChange({ from })}
      />
      <SearchInput
        label="Tag"
        placeholder="name or name:value"
        value={search.tag}
        onSettled={(tag) => onChange({ tag })}
      />
      <SelectField
        label="Stream"
        value={search.stream ?? ''}
        onChange={(event) => onChange({ stream: event.target.value || undefined })}
      >
        <option value="">Any</option>
        {streamsWith(useStreamNames(), search.stream).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <SearchInput
        label="Batch"
        placeholder="batch_…"
        value={search.batch_id}
        onSettled={(batch_id) => onChange({ batch_id })}
      />
      <SearchInput
        label="API key"
        hint="A whole id"
        placeholder="key_…"
        value={search.api_key_id}
        isComplete={(text) => /^key_[a-z0-9]{12,}$/.test(text)}
        onSettled={(api_key_id) => onChange({ api_key_id })}
      />
    </>
  );
}

/** One that was deleted still has mail. */
function streamsWith(names: readonly string[], chosen: string | undefined): readonly string[] {
  return chosen === undefined || names.includes(chosen) ? names : [...names, chosen];
}

const MORE = ['subject', 'from', 'tag', 'stream', 'batch_id', 'api_key_id'] as const;

function usesMore(search: EmailSearch): boolean {
  return MORE.some((name) => search[name] !== undefined);
}
