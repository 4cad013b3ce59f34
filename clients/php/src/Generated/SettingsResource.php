<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * What an organization decides for itself.
 *
 * @phpstan-import-type AutoValidation from Shapes
 * @phpstan-import-type Guard from Shapes
 * @phpstan-import-type Retention from Shapes
 * @phpstan-import-type SettingsUpdateAutoValidationBody from Shapes
 * @phpstan-import-type SettingsUpdateGuardBody from Shapes
 * @phpstan-import-type SettingsUpdateRetentionBody from Shapes
 * @phpstan-import-type SettingsUpdateTrackingBody from Shapes
 * @phpstan-import-type SettingsUpdateValidationBody from Shapes
 * @phpstan-import-type Tracking from Shapes
 * @phpstan-import-type ValidationSettings from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class SettingsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * Get your allow and deny lists of disposable domains.
     *
     * @param RequestOptions $options
     * @return ValidationSettings
     */
    public function validation(array $options = []): array
    {
        return $this->api->data('GET /settings/validation', options: $options);
    }

    /**
     * Replace your allow and deny lists of disposable domains.
     *
     * @param SettingsUpdateValidationBody $body
     * @param RequestOptions $options
     * @return ValidationSettings
     */
    public function updateValidation(array $body, array $options = []): array
    {
        return $this->api->data('PUT /settings/validation', body: $body, options: $options);
    }

    /**
     * Get the auto-validation setting.
     *
     * @param RequestOptions $options
     * @return AutoValidation
     */
    public function autoValidation(array $options = []): array
    {
        return $this->api->data('GET /settings/auto-validation', options: $options);
    }

    /**
     * Change the auto-validation setting.
     *
     * @param SettingsUpdateAutoValidationBody $body
     * @param RequestOptions $options
     * @return AutoValidation
     */
    public function updateAutoValidation(array $body, array $options = []): array
    {
        return $this->api->data('PUT /settings/auto-validation', body: $body, options: $options);
    }

    /**
     * Get the settings of the guard.
     *
     * @param RequestOptions $options
     * @return Guard
     */
    public function guard(array $options = []): array
    {
        return $this->api->data('GET /settings/guard', options: $options);
    }

    /**
     * Turn the guard on or off, or replace its allow-list.
     *
     * @param SettingsUpdateGuardBody $body
     * @param RequestOptions $options
     * @return Guard
     */
    public function updateGuard(array $body, array $options = []): array
    {
        return $this->api->data('PUT /settings/guard', body: $body, options: $options);
    }

    /**
     * Get the tracking setting.
     *
     * @param RequestOptions $options
     * @return Tracking
     */
    public function tracking(array $options = []): array
    {
        return $this->api->data('GET /settings/tracking', options: $options);
    }

    /**
     * Change the tracking setting.
     *
     * @param SettingsUpdateTrackingBody $body
     * @param RequestOptions $options
     * @return Tracking
     */
    public function updateTracking(array $body, array $options = []): array
    {
        return $this->api->data('PUT /settings/tracking', body: $body, options: $options);
    }

    /**
     * Get the retention periods of your mail.
     *
     * @param RequestOptions $options
     * @return Retention
     */
    public function retention(array $options = []): array
    {
        return $this->api->data('GET /settings/retention', options: $options);
    }

    /**
     * Change the retention periods of your mail.
     *
     * @param SettingsUpdateRetentionBody $body
     * @param RequestOptions $options
     * @return Retention
     */
    public function updateRetention(array $body, array $options = []): array
    {
        return $this->api->data('PUT /settings/retention', body: $body, options: $options);
    }
}
