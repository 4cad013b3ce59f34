<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Every resource of the API, as a property; made when it is first used.
 *
 * @property-read EmailsResource $emails Sending, and what became of it.
 * @property-read DomainsResource $domains Domains to send from.
 * @property-read TemplatesResource $templates Templates and their versions.
 * @property-read SearchResource $search One search over everything of the organization.
 * @property-read \Postrider\Suppressions $suppressions Who must not be mailed.
 * @property-read ValidationResource $validation Is this an address that takes mail?
 * @property-read WebhooksResource $webhooks Endpoints of yours that are told what happens, and the log of what they were told.
 * @property-read \Postrider\Events $events Everything that happens, the newest first.
 * @property-read StatsResource $stats Numbers for an overview.
 * @property-read \Postrider\Sandbox $sandbox The inbox of the sandbox, where every mail ends up that would have been delivered. Sandbox mode only.
 * @property-read ApiKeysResource $apiKeys API keys.
 * @property-read InboundResource $inbound Mail that you receive.
 * @property-read StreamsResource $streams Kinds of mail that are kept apart.
 * @property-read ViewsResource $views Filters of lists, saved under a name.
 * @property-read ApprovalsResource $approvals Mail that waits for approval: people decide, who are signed in.
 * @property-read HoldsResource $holds Mail that is held back.
 * @property-read UndosResource $undos Withdrawing what was sent by mistake.
 * @property-read RequestLogsResource $requestLogs Requests that were made with the keys of the organization.
 * @property-read SettingsResource $settings What an organization decides for itself.
 * @property-read SitesResource $sites The mail servers that mail goes to, and how they take it.
 * @property-read FeedbackLoopsResource $feedbackLoops Where providers tell who complained.
 * @property-read OrganizationResource $organization The organization that the key belongs to.
 */
abstract class Resources
{
    /** @var array<string, object> */
    private array $made = [];

    public function __construct(protected readonly Transport $api)
    {
    }

    public function __get(string $name): object
    {
        return $this->made[$name] ??= match ($name) {
            'emails' => new EmailsResource($this->api),
            'domains' => new DomainsResource($this->api),
            'templates' => new TemplatesResource($this->api),
            'search' => new SearchResource($this->api),
            'suppressions' => new \Postrider\Suppressions($this->api),
            'validation' => new ValidationResource($this->api),
            'webhooks' => new WebhooksResource($this->api),
            'events' => new \Postrider\Events($this->api),
            'stats' => new StatsResource($this->api),
            'sandbox' => new \Postrider\Sandbox($this->api),
            'apiKeys' => new ApiKeysResource($this->api),
            'inbound' => new InboundResource($this->api),
            'streams' => new StreamsResource($this->api),
            'views' => new ViewsResource($this->api),
            'approvals' => new ApprovalsResource($this->api),
            'holds' => new HoldsResource($this->api),
            'undos' => new UndosResource($this->api),
            'requestLogs' => new RequestLogsResource($this->api),
            'settings' => new SettingsResource($this->api),
            'sites' => new SitesResource($this->api),
            'feedbackLoops' => new FeedbackLoopsResource($this->api),
            'organization' => new OrganizationResource($this->api),
            default => throw new \Error("The client has no resource $name."),
        };
    }
}
