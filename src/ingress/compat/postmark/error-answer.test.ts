import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../http/errors.ts';
import { Problems } from '../../../runtime/problems.ts';
import { postmarkErrorOfItem, postmarkField } from './error-answer.ts';

describe('fields of our API', () => {
  it("are translated to Postmark's names", () => {
    const names: Readonly<Record<string, string>> = {
      'from.email': 'From',
      'to[0].email': 'To',
      'to[2].email': 'To[2]',
      'reply_to[1].name': 'ReplyTo[1]',
      html: 'HtmlBody',
      'tags[0].value': 'Tag',
      'attachments[1].content_type': 'Attachments[1].ContentType',
      'metadata.html': 'Metadata.html',
      'headers.X-Text': 'Headers.X-Text',
      'template_data.items[0].name': 'TemplateModel.items[0].name',
      offset: 'offset',
    };
    expect(Object.keys(names).map(postmarkField)).toEqual(Object.values(names));
  });
});

describe('an error', () => {
  it('names every field in its one text', () => {
    const several = new Problems().add('to[0].email', 'is empty.').add('subject', 'is required').toError();
    expect(postmarkErrorOfItem(several)).toEqual({
      ErrorCode: 300,
      Message: 'To: is empty; Subject: is required.',
    });
  });

  it('does not change the wording of a template', () => {
    const problem = new Problems().add('html', 'line 1, column 1: put the text into the template.').toError();
    expect(postmarkErrorOfItem(problem).Message).toBe(
      'HtmlBody: line 1, column 1: put the text into the template.',
    );
  });

  it('is thrown when it is unexpected', () => {
    const broken = new Error('broken');
    expect(() => postmarkErrorOfItem(broken)).toThrow(broken);
    expect(postmarkErrorOfItem(new ApiError('UNAVAILABLE'))).toMatchObject({ ErrorCode: 100 });
  });
});
