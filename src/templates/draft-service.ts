/** Saves, shows, publishes and discards drafts. */
import { actorNameOf } from '../accounts/actor-name.ts';
import type { Database } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import type { Clock } from '../runtime/clock.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { contentFromInput, contentOfRow, isSameContent, storedContent } from './content.ts';
import { nextChange, refuseUnseenChange } from './last-change.ts';
import { linkOrRefuse } from './linking.ts';
import type { DraftBody, LastChangeQuery } from './schema.ts';
import { lockUsedPieces, noSuchTemplate } from './service.ts';
import { findTemplate, lockTemplate, saveVersion, type TemplateRow } from './store.ts';
import { findDraft, removeDraft, saveDraft } from './store-drafts.ts';
import { draftView, templateView } from './view.ts';

export class TemplateDrafts {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Changes only the given fields of the draft or, without a draft, of the current version. */
  async save(
    organizationId: string,
    idOrAlias: string,
    body: DraftBody,
    actorId: string | null,
    seen: LastChangeQuery = {},
  ) {
    const by = actorId === null ? null : await actorNameOf(this.#db, actorId);
    return this.#withLockedTemplate(organizationId, idOrAlias, async (row, tx) => {
      const { id, kind, version } = row;
      const key = { organizationId, id };
      const before = await findDraft(tx, key);
      refuseUnseenChange(seen, row, before);
      const given = { kind, content: { ...storedContent(before ?? row), ...contentFromInput(body) }, id };
      const { content } = await linkOrRefuse(tx, organizationId, given);
      await lockUsedPieces(tx, organizationId, content);
      const basedOn = before?.based_on ?? version;
      await saveDraft(tx, key, content, { basedOn, at: nextChange(this.#clock, row, before), by });
      const saved = await findDraft(tx, key);
      if (saved === undefined) throw noDraft();
      return draftView(saved);
    });
  }

  /**
   * Publishes the draft as a new version, which is sent from now on. A draft equal to the current version creates
   * none.
   */
  async publish(organizationId: string, idOrAlias: string, actorId: string, seen: LastChangeQuery = {}) {
    const by = await actorNameOf(this.#db, actorId);
    return this.#withLockedTemplate(organizationId, idOrAlias, async (row, tx) => {
      const { id, kind, name, alias, version, sample_data: sampleData } = row;
      const key = { organizationId, id };
      const draft = await findDraft(tx, key);
      refuseUnseenChange(seen, row, draft);
      if (draft === undefined)
        throw new ServiceError(
          'CONFLICT',
          'There is no draft to publish. PUT /templates/:id/draft saves a draft.',
        );
      // The layout or partials may have changed since the draft was saved.
      const given = { kind, content: storedContent(draft), id };
      const { content } = await linkOrRefuse(tx, organizationId, given);
      await lockUsedPieces(tx, organizationId, content);
      if (!isSameContent(contentOfRow(row), content)) {
        const at = nextChange(this.#clock, row, draft);
        await saveVersion(tx, key, { ...content, name, alias, sampleData, version: version + 1, at, by });
      }
      await removeDraft(tx, key);
      const published = await findTemplate(tx, organizationId, id);
      if (published === undefined) throw noSuchTemplate();
      return templateView(published);
    });
  }

  async discard(organizationId: string, idOrAlias: string, seen: LastChangeQuery = {}) {
    return this.#withLockedTemplate(organizationId, idOrAlias, async (row, tx) => {
      const { id } = row;
      const key = { organizationId, id };
      refuseUnseenChange(seen, row, await findDraft(tx, key));
      if (!(await removeDraft(tx, key))) throw noDraft();
      return { id, deleted: true };
    });
  }

  #withLockedTemplate<T>(
    organizationId: string,
    idOrAlias: string,
    work: (row: TemplateRow, tx: Sql) => Promise<T>,
  ): Promise<T> {
    return this.#db.transaction(async (tx) => {
      const withLockedTemplate = await lockTemplate(tx, organizationId, idOrAlias);
      if (!withLockedTemplate) throw noSuchTemplate();
      return work(withLockedTemplate, tx);
    });
  }
}

function noDraft(): ServiceError {
  return new ServiceError('NOT_FOUND', 'This template has no draft. PUT /templates/:id/draft saves a draft.');
}
