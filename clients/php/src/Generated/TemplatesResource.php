<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Templates and their versions.
 *
 * @phpstan-import-type Deleted from Shapes
 * @phpstan-import-type DryRun from Shapes
 * @phpstan-import-type SendResult from Shapes
 * @phpstan-import-type Template from Shapes
 * @phpstan-import-type TemplateChecks from Shapes
 * @phpstan-import-type TemplateDetail from Shapes
 * @phpstan-import-type TemplateDraft from Shapes
 * @phpstan-import-type TemplatePreview from Shapes
 * @phpstan-import-type TemplateSend from Shapes
 * @phpstan-import-type TemplateVersion from Shapes
 * @phpstan-import-type TemplatesCheckBody from Shapes
 * @phpstan-import-type TemplatesCreateBody from Shapes
 * @phpstan-import-type TemplatesListPage from Shapes
 * @phpstan-import-type TemplatesPreviewBody from Shapes
 * @phpstan-import-type TemplatesSaveDraftBody from Shapes
 * @phpstan-import-type TemplatesSendTestBody from Shapes
 * @phpstan-import-type TemplatesUpdateBody from Shapes
 * @phpstan-import-type TemplatesValidateBody from Shapes
 * @phpstan-import-type TemplatesVersionsPage from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class TemplatesResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List templates.
     *
     * @param array{page?: int|null, limit?: int|null, is_active?: bool|null, kind?: 'template'|'layout'|'partial'|null, search?: string|null} $query
     * @param RequestOptions $options
     * @return TemplatesListPage
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /templates', query: [...$query], options: $options);
    }

    /**
     * List templates: all of them, page by page as you read on.
     *
     * @param array{limit?: int|null, is_active?: bool|null, kind?: 'template'|'layout'|'partial'|null, search?: string|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, Template>
     */
    public function all(array $query = [], array $options = []): \Generator
    {
        return $this->api->pages('GET /templates', query: [...$query], options: $options);
    }

    /**
     * Create a template.
     *
     * @param TemplatesCreateBody $body
     * @param RequestOptions $options
     * @return Template
     */
    public function create(array $body, array $options = []): array
    {
        return $this->api->data('POST /templates', body: $body, options: $options);
    }

    /**
     * Get a template, its variables and the number of its sends.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return TemplateDetail
     */
    public function get(string $id, array $options = []): array
    {
        return $this->api->data('GET /templates/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Change a template.
     *
     * @param string $id
     * @param TemplatesUpdateBody $body
     * @param array{last_changed_at?: string|null} $query
     * @param RequestOptions $options
     * @return Template
     */
    public function update(string $id, array $body, array $query = [], array $options = []): array
    {
        return $this->api->data('PUT /templates/{id}', params: ['id' => $id], query: [...$query], body: $body, options: $options);
    }

    /**
     * Delete a template.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Deleted
     */
    public function delete(string $id, array $options = []): array
    {
        return $this->api->data('DELETE /templates/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Check a template against mail clients and spam filters.
     *
     * @param TemplatesCheckBody $body
     * @param RequestOptions $options
     * @return TemplateChecks
     */
    public function check(array $body = [], array $options = []): array
    {
        return $this->api->data('POST /templates/check', body: $body, options: $options);
    }

    /**
     * Check a template without saving it.
     *
     * @param TemplatesValidateBody $body
     * @param RequestOptions $options
     * @return TemplatePreview
     */
    public function validate(array $body = [], array $options = []): array
    {
        return $this->api->data('POST /templates/validate', body: $body, options: $options);
    }

    /**
     * Render a template without sending it.
     *
     * @param string $id
     * @param TemplatesPreviewBody $body
     * @param RequestOptions $options
     * @return TemplatePreview
     */
    public function preview(string $id, array $body = [], array $options = []): array
    {
        return $this->api->data('POST /templates/{id}/preview', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Save a draft of a template.
     *
     * @param string $id
     * @param TemplatesSaveDraftBody $body
     * @param array{last_changed_at?: string|null} $query
     * @param RequestOptions $options
     * @return TemplateDraft
     */
    public function saveDraft(string $id, array $body, array $query = [], array $options = []): array
    {
        return $this->api->data('PUT /templates/{id}/draft', params: ['id' => $id], query: [...$query], body: $body, options: $options);
    }

    /**
     * Publish the draft of a template.
     *
     * @param string $id
     * @param array{last_changed_at?: string|null} $query
     * @param RequestOptions $options
     * @return Template
     */
    public function publish(string $id, array $query = [], array $options = []): array
    {
        return $this->api->data('POST /templates/{id}/publish', params: ['id' => $id], query: [...$query], options: $options);
    }

    /**
     * Discard the draft of a template.
     *
     * @param string $id
     * @param array{last_changed_at?: string|null} $query
     * @param RequestOptions $options
     * @return Deleted
     */
    public function discardDraft(string $id, array $query = [], array $options = []): array
    {
        return $this->api->data('DELETE /templates/{id}/draft', params: ['id' => $id], query: [...$query], options: $options);
    }

    /**
     * Send a test of a template to one address.
     *
     * @param string $id
     * @param TemplatesSendTestBody $body
     * @param RequestOptions $options
     * @return SendResult
     */
    public function sendTest(string $id, array $body, array $options = []): array
    {
        return $this->api->data('POST /templates/{id}/test', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Preview the result of a template test.
     *
     * @param string $id
     * @param TemplatesSendTestBody $body
     * @param array{check_links?: bool|null} $query
     * @param RequestOptions $options
     * @return DryRun
     */
    public function dryRunTest(string $id, array $body, array $query = [], array $options = []): array
    {
        return $this->api->data('POST /templates/{id}/test/dry-run', params: ['id' => $id], query: [...$query], body: $body, options: $options);
    }

    /**
     * List the versions of a template, newest first.
     *
     * @param string $id
     * @param array{page?: int|null, limit?: int|null} $query
     * @param RequestOptions $options
     * @return TemplatesVersionsPage
     */
    public function versions(string $id, array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /templates/{id}/versions', params: ['id' => $id], query: [...$query], options: $options);
    }

    /**
     * List the versions of a template, newest first: all of them, page by page as you read on.
     *
     * @param string $id
     * @param array{limit?: int|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, TemplateVersion>
     */
    public function allVersions(string $id, array $query = [], array $options = []): \Generator
    {
        return $this->api->pages('GET /templates/{id}/versions', params: ['id' => $id], query: [...$query], options: $options);
    }

    /**
     * Restore an earlier version of a template.
     *
     * @param string $id
     * @param int $version
     * @param RequestOptions $options
     * @return Template
     */
    public function restore(string $id, int $version, array $options = []): array
    {
        return $this->api->data('POST /templates/{id}/versions/{version}/restore', params: ['id' => $id, 'version' => $version], options: $options);
    }

    /**
     * List the newest emails sent with a template, with their data.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return list<TemplateSend>
     */
    public function sends(string $id, array $options = []): array
    {
        return $this->api->data('GET /templates/{id}/sends', params: ['id' => $id], options: $options);
    }
}
