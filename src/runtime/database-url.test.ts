import { describe, expect, it } from 'vitest';
import { databasePlaces, databaseUrlProblem } from './database-url.ts';

const names = (url: string) => databasePlaces(url).map(({ name }) => name);
const problem = (url: string) => databaseUrlProblem(url, ['read-write', 'primary']);

describe('an address of PostgreSQL', () => {
  it('with one host stays as it is', () => {
    const url = 'postgres://user:p%40ss@db.internal:6432/postrider?sslmode=verify-full';
    expect(databasePlaces(url)).toEqual([{ name: 'db.internal:6432', port: 6432, url }]);
  });

  it('with several hosts gives each of them all other parts', () => {
    const url = 'postgres://user:secret@one:5432,two,[2001:db8::3]:5433/mail?target_session_attrs=read-write';
    expect(databasePlaces(url).map((place) => place.url)).toEqual([
      'postgres://user:secret@one:5432/mail?target_session_attrs=read-write',
      'postgres://user:secret@two/mail?target_session_attrs=read-write',
      'postgres://user:secret@[2001:db8::3]:5433/mail?target_session_attrs=read-write',
    ]);
    expect(names(url)).toEqual(['one:5432', 'two:5432', '[2001:db8::3]:5433']);
    expect(problem(url)).toBeNull();
  });

  it('does not treat a comma in the password as a separator', () => {
    expect(names('postgresql://user:a,b@one,two/mail')).toEqual(['one:5432', 'two:5432']);
  });

  it('can name a socket', () => {
    expect(names('postgres:///mail?host=/run/postgresql')).toEqual(['/run/postgresql:5432']);
    expect(names('postgres://%2Frun%2Fpostgresql/mail')).toEqual(['/run/postgresql:5432']);
  });

  it.each(['mysql://one/mail', 'one:5432', 'postgres://one:port/mail', 'postgres://one:1,two:x/mail'])(
    'is invalid: %s',
    (url) => {
      expect(problem(url)).toContain('must be a URL that starts with postgres://');
    },
  );

  it('may request a server that accepts writes, and no other', () => {
    expect(problem('postgres://one,two/mail?target_session_attrs=primary')).toBeNull();
    expect(problem('postgres://one,two/mail?target_session_attrs=any')).toBe(
      'must have target_session_attrs=read-write, or none',
    );
  });
});
