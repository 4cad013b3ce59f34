# Made from the OpenAPI document by `npx tsx clients/python/scripts/generate.ts`. Do not edit.
"""The methods of `AsyncPostrider`."""

from __future__ import annotations

from typing import AsyncIterator, List, Literal, Optional, Union

from .._async_transport import AsyncTransport
from . import types as t


class AsyncEmailsResource:
    """Sending, and what became of it."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def send(
        self,
        body: t.EmailsSendBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SendResult:
        """Send an email"""
        given: t.SendResult = await self._api.data(
            "POST /emails/send",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def send_batch(
        self,
        body: t.EmailsSendBatchBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BatchResult:
        """Send one template to many recipients"""
        given: t.BatchResult = await self._api.data(
            "POST /emails/batch",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def send_mixed_batch(
        self,
        body: t.EmailsSendMixedBatchBody,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.MixedBatchResult:
        """Send several different emails"""
        given: t.MixedBatchResult = await self._api.data(
            "POST /emails/batch/mixed",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def dry_run(
        self,
        body: t.EmailsSendBody,
        *,
        check_links: Optional[bool] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DryRun:
        """Preview the result of a send"""
        given: t.DryRun = await self._api.data(
            "POST /emails/send/dry-run",
            query={"check_links": check_links},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def dry_run_batch(
        self,
        body: t.EmailsSendBatchBody,
        *,
        check_links: Optional[bool] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DryRunBatch:
        """Preview the result of a batch"""
        given: t.DryRunBatch = await self._api.data(
            "POST /emails/batch/dry-run",
            query={"check_links": check_links},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def dry_run_mixed_batch(
        self,
        body: t.EmailsSendMixedBatchBody,
        *,
        check_links: Optional[bool] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DryRunMixed:
        """Preview the results of several different emails"""
        given: t.DryRunMixed = await self._api.data(
            "POST /emails/batch/mixed/dry-run",
            query={"check_links": check_links},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get_batch(
        self,
        batch_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BatchStatus:
        """Count the emails of a batch by status"""
        given: t.BatchStatus = await self._api.data(
            "GET /emails/batch/{batch_id}",
            params={"batch_id": batch_id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Email:
        """Get an email and its events"""
        given: t.Email = await self._api.data(
            "GET /emails/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def content(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.EmailContent:
        """Get the content of an email"""
        given: t.EmailContent = await self._api.data(
            "GET /emails/{id}/content",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def attachment(
        self,
        id: str,
        number: int,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.EmailAttachment:
        """Get one attachment of an email"""
        given: t.EmailAttachment = await self._api.data(
            "GET /emails/{id}/attachments/{number}",
            params={"id": id, "number": number},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def raw(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Get the source of an email that was submitted as a complete message"""
        given: str = await self._api.answer(
            "GET /emails/{id}/raw",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def suppressions(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.RecipientSuppression]:
        """List the suppressed recipients of an email"""
        given: List[t.RecipientSuppression] = await self._api.data(
            "GET /emails/{id}/suppressions",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def explain(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Explanation:
        """Explain why an email did or did not arrive"""
        given: t.Explanation = await self._api.data(
            "GET /emails/{id}/explain",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def proof(
        self,
        id: str,
        *,
        recipient: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Proof:
        """Get a signed proof of the delivery of an email"""
        given: t.Proof = await self._api.data(
            "GET /emails/{id}/proof",
            params={"id": id},
            query={"recipient": recipient},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def list(
        self,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        status: Optional[str] = None,
        state: Optional[Literal["scheduled", "awaiting_approval", "held", "retrying", "partly_delivered", "withdrawn", "superseded", "complained"]] = None,
        from_date: Optional[str] = None,
        to_date: Optional[str] = None,
        to: Optional[str] = None,
        from_: Optional[str] = None,
        subject: Optional[str] = None,
        batch_id: Optional[str] = None,
        api_key_id: Optional[str] = None,
        search: Optional[str] = None,
        include: Optional[Literal["addresses"]] = None,
        stream: Optional[str] = None,
        tag: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.EmailsListPage:
        """List emails"""
        given: t.EmailsListPage = await self._api.answer(
            "GET /emails",
            query={"page": page, "limit": limit, "status": status, "state": state, "from_date": from_date, "to_date": to_date, "to": to, "from": from_, "subject": subject, "batch_id": batch_id, "api_key_id": api_key_id, "search": search, "include": include, "stream": stream, "tag": tag},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all(
        self,
        *,
        limit: Optional[int] = None,
        status: Optional[str] = None,
        state: Optional[Literal["scheduled", "awaiting_approval", "held", "retrying", "partly_delivered", "withdrawn", "superseded", "complained"]] = None,
        from_date: Optional[str] = None,
        to_date: Optional[str] = None,
        to: Optional[str] = None,
        from_: Optional[str] = None,
        subject: Optional[str] = None,
        batch_id: Optional[str] = None,
        api_key_id: Optional[str] = None,
        search: Optional[str] = None,
        include: Optional[Literal["addresses"]] = None,
        stream: Optional[str] = None,
        tag: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.EmailItem]:
        """List emails: all of them, page by page as you read on."""
        given: AsyncIterator[t.EmailItem] = self._api.pages(
            "GET /emails",
            query={"limit": limit, "status": status, "state": state, "from_date": from_date, "to_date": to_date, "to": to, "from": from_, "subject": subject, "batch_id": batch_id, "api_key_id": api_key_id, "search": search, "include": include, "stream": stream, "tag": tag},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def cancel(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Email:
        """Cancel a scheduled email"""
        given: t.Email = await self._api.data(
            "POST /emails/{id}/cancel",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def reschedule(
        self,
        id: str,
        scheduled_at: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Email:
        """Reschedule a scheduled email"""
        given: t.Email = await self._api.data(
            "PATCH /emails/{id}",
            params={"id": id},
            body={"scheduled_at": scheduled_at},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def retry(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Email:
        """Retry an email now"""
        given: t.Email = await self._api.data(
            "POST /emails/{id}/retry",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def resend(
        self,
        id: str,
        body: Optional[t.EmailsResendBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SendResult:
        """Send an email again as a new email"""
        given: t.SendResult = await self._api.data(
            "POST /emails/{id}/resend",
            params={"id": id},
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def cancel_many(
        self,
        ids: List[str],
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BulkResult:
        """Cancel several scheduled emails"""
        given: t.BulkResult = await self._api.data(
            "POST /emails/cancel",
            body={"ids": ids},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def retry_many(
        self,
        ids: List[str],
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BulkResult:
        """Retry several emails now"""
        given: t.BulkResult = await self._api.data(
            "POST /emails/retry",
            body={"ids": ids},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def resend_many(
        self,
        ids: List[str],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ResendResults:
        """Send several emails again"""
        given: t.ResendResults = await self._api.data(
            "POST /emails/resend",
            body={"ids": ids},
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncDomainsResource:
    """Domains to send from."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(
        self,
        domain: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.NewDomain:
        """Register a sending domain"""
        given: t.NewDomain = await self._api.data(
            "POST /domains",
            body={"domain": domain},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.Domain]:
        """List all sending domains, newest first"""
        given: List[t.Domain] = await self._api.data(
            "GET /domains",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def export(
        self,
        *,
        format: Optional[Literal["zone", "terraform", "octodns"]] = None,
        zone: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Export the DNS records of all domains"""
        given: str = await self._api.answer(
            "GET /domains/export",
            query={"format": format, "zone": zone},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Domain:
        """Get a sending domain with the results of its last check"""
        given: t.Domain = await self._api.data(
            "GET /domains/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def verify(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Domain:
        """Check DNS now and update the domain"""
        given: t.Domain = await self._api.data(
            "GET /domains/{id}/verify",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def rotate_dkim(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Domain:
        """Rotate the DKIM key of a domain"""
        given: t.Domain = await self._api.data(
            "POST /domains/{id}/dkim/rotate",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def cancel_dkim_rotation(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Domain:
        """Cancel a DKIM rotation"""
        given: t.Domain = await self._api.data(
            "DELETE /domains/{id}/dkim/rotate",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def dmarc_reports(
        self,
        id: str,
        *,
        days: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DmarcReports:
        """Summarize the DMARC reports about a domain"""
        given: t.DmarcReports = await self._api.data(
            "GET /domains/{id}/reports/dmarc",
            params={"id": id},
            query={"days": days},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def tls_reports(
        self,
        id: str,
        *,
        days: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TlsReports:
        """Summarize the TLS reports about a domain"""
        given: t.TlsReports = await self._api.data(
            "GET /domains/{id}/reports/tls",
            params={"id": id},
            query={"days": days},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def set_tracking(
        self,
        id: str,
        body: t.DomainsSetTrackingBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Domain:
        """Change the tracking settings of a sending domain"""
        given: t.Domain = await self._api.data(
            "PUT /domains/{id}/tracking",
            params={"id": id},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deleted:
        """Delete a sending domain"""
        given: t.Deleted = await self._api.data(
            "DELETE /domains/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncTemplatesResource:
    """Templates and their versions."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        is_active: Optional[bool] = None,
        kind: Optional[Literal["template", "layout", "partial"]] = None,
        search: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TemplatesListPage:
        """List templates"""
        given: t.TemplatesListPage = await self._api.answer(
            "GET /templates",
            query={"page": page, "limit": limit, "is_active": is_active, "kind": kind, "search": search},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all(
        self,
        *,
        limit: Optional[int] = None,
        is_active: Optional[bool] = None,
        kind: Optional[Literal["template", "layout", "partial"]] = None,
        search: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.Template]:
        """List templates: all of them, page by page as you read on."""
        given: AsyncIterator[t.Template] = self._api.pages(
            "GET /templates",
            query={"limit": limit, "is_active": is_active, "kind": kind, "search": search},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def create(
        self,
        body: t.TemplatesCreateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Template:
        """Create a template"""
        given: t.Template = await self._api.data(
            "POST /templates",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TemplateDetail:
        """Get a template, its variables and the number of its sends"""
        given: t.TemplateDetail = await self._api.data(
            "GET /templates/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update(
        self,
        id: str,
        body: t.TemplatesUpdateBody,
        *,
        last_changed_at: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Template:
        """Change a template"""
        given: t.Template = await self._api.data(
            "PUT /templates/{id}",
            params={"id": id},
            query={"last_changed_at": last_changed_at},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deleted:
        """Delete a template"""
        given: t.Deleted = await self._api.data(
            "DELETE /templates/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def check(
        self,
        body: Optional[t.TemplatesCheckBody] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TemplateChecks:
        """Check a template against mail clients and spam filters"""
        given: t.TemplateChecks = await self._api.data(
            "POST /templates/check",
            body={} if body is None else body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def validate(
        self,
        body: Optional[t.TemplatesValidateBody] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TemplatePreview:
        """Check a template without saving it"""
        given: t.TemplatePreview = await self._api.data(
            "POST /templates/validate",
            body={} if body is None else body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def preview(
        self,
        id: str,
        body: Optional[t.TemplatesPreviewBody] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TemplatePreview:
        """Render a template without sending it"""
        given: t.TemplatePreview = await self._api.data(
            "POST /templates/{id}/preview",
            params={"id": id},
            body={} if body is None else body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def save_draft(
        self,
        id: str,
        body: t.TemplatesSaveDraftBody,
        *,
        last_changed_at: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TemplateDraft:
        """Save a draft of a template"""
        given: t.TemplateDraft = await self._api.data(
            "PUT /templates/{id}/draft",
            params={"id": id},
            query={"last_changed_at": last_changed_at},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def publish(
        self,
        id: str,
        *,
        last_changed_at: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Template:
        """Publish the draft of a template"""
        given: t.Template = await self._api.data(
            "POST /templates/{id}/publish",
            params={"id": id},
            query={"last_changed_at": last_changed_at},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def discard_draft(
        self,
        id: str,
        *,
        last_changed_at: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deleted:
        """Discard the draft of a template"""
        given: t.Deleted = await self._api.data(
            "DELETE /templates/{id}/draft",
            params={"id": id},
            query={"last_changed_at": last_changed_at},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def send_test(
        self,
        id: str,
        body: t.TemplatesSendTestBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SendResult:
        """Send a test of a template to one address"""
        given: t.SendResult = await self._api.data(
            "POST /templates/{id}/test",
            params={"id": id},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def dry_run_test(
        self,
        id: str,
        body: t.TemplatesSendTestBody,
        *,
        check_links: Optional[bool] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DryRun:
        """Preview the result of a template test"""
        given: t.DryRun = await self._api.data(
            "POST /templates/{id}/test/dry-run",
            params={"id": id},
            query={"check_links": check_links},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def versions(
        self,
        id: str,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TemplatesVersionsPage:
        """List the versions of a template, newest first"""
        given: t.TemplatesVersionsPage = await self._api.answer(
            "GET /templates/{id}/versions",
            params={"id": id},
            query={"page": page, "limit": limit},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all_versions(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.TemplateVersion]:
        """List the versions of a template, newest first: all of them, page by page as you read on."""
        given: AsyncIterator[t.TemplateVersion] = self._api.pages(
            "GET /templates/{id}/versions",
            params={"id": id},
            query={"limit": limit},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def restore(
        self,
        id: str,
        version: int,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Template:
        """Restore an earlier version of a template"""
        given: t.Template = await self._api.data(
            "POST /templates/{id}/versions/{version}/restore",
            params={"id": id, "version": version},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def sends(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.TemplateSend]:
        """List the newest emails sent with a template, with their data"""
        given: List[t.TemplateSend] = await self._api.data(
            "GET /templates/{id}/sends",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncSearchResource:
    """One search over everything of the organization."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def find(
        self,
        *,
        q: Optional[str] = None,
        kinds: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.SearchGroup]:
        """Search everything"""
        given: List[t.SearchGroup] = await self._api.data(
            "GET /search",
            query={"q": q, "kinds": kinds},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncSuppressionsResource:
    """Who must not be mailed."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        email: Optional[str] = None,
        search: Optional[str] = None,
        reason: Optional[Literal["hard_bounce", "soft_bounce", "complaint", "unsubscribe", "manual"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SuppressionsListPage:
        """List suppressed addresses, newest first"""
        given: t.SuppressionsListPage = await self._api.answer(
            "GET /suppressions",
            query={"page": page, "limit": limit, "email": email, "search": search, "reason": reason},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all(
        self,
        *,
        limit: Optional[int] = None,
        email: Optional[str] = None,
        search: Optional[str] = None,
        reason: Optional[Literal["hard_bounce", "soft_bounce", "complaint", "unsubscribe", "manual"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.Suppression]:
        """List suppressed addresses, newest first: all of them, page by page as you read on."""
        given: AsyncIterator[t.Suppression] = self._api.pages(
            "GET /suppressions",
            query={"limit": limit, "email": email, "search": search, "reason": reason},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def create(
        self,
        body: t.SuppressionsCreateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Suppression:
        """Suppress an address"""
        given: t.Suppression = await self._api.data(
            "POST /suppressions",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deleted:
        """Remove an address from the suppression list"""
        given: t.Deleted = await self._api.data(
            "DELETE /suppressions/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delete_many(
        self,
        ids: List[str],
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BulkResult:
        """Remove several addresses from the suppression list"""
        given: t.BulkResult = await self._api.data(
            "POST /suppressions/delete",
            body={"ids": ids},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def import_list(
        self,
        body: Union[t.SuppressionsImportListBody, str],
        *,
        reason: Optional[Literal["hard_bounce", "soft_bounce", "complaint", "unsubscribe", "manual"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SuppressionImport:
        """Suppress up to 100,000 addresses"""
        given: t.SuppressionImport = await self._api.data(
            "POST /suppressions/import",
            query={"reason": reason},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get_import(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SuppressionImport:
        """Get the progress of an import of suppressions"""
        given: t.SuppressionImport = await self._api.data(
            "GET /suppressions/imports/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def export(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Download the suppression list as CSV"""
        given: str = await self._api.answer(
            "GET /suppressions/export",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncValidationResource:
    """Is this an address that takes mail?"""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def validate(
        self,
        email: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ValidationResult:
        """Validate an address"""
        given: t.ValidationResult = await self._api.data(
            "POST /emails/validate",
            body={"email": email},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def validate_batch(
        self,
        emails: List[str],
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.ValidationResult]:
        """Validate up to 100 addresses"""
        given: List[t.ValidationResult] = await self._api.data(
            "POST /emails/validate/batch",
            body={"emails": emails},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncWebhooksResource:
    """Endpoints of yours that are told what happens, and the log of what they were told."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(
        self,
        body: t.WebhooksCreateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookWithSecret:
        """Create a webhook that sends events to a URL"""
        given: t.WebhookWithSecret = await self._api.data(
            "POST /webhooks",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.Webhook]:
        """List all webhooks, newest first"""
        given: List[t.Webhook] = await self._api.data(
            "GET /webhooks",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Webhook:
        """Get a webhook"""
        given: t.Webhook = await self._api.data(
            "GET /webhooks/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update(
        self,
        id: str,
        body: t.WebhooksUpdateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Webhook:
        """Change a webhook, enable or disable it"""
        given: t.Webhook = await self._api.data(
            "PATCH /webhooks/{id}",
            params={"id": id},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deleted:
        """Delete a webhook with the log of its deliveries"""
        given: t.Deleted = await self._api.data(
            "DELETE /webhooks/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def send_test(
        self,
        id: str,
        *,
        type: Optional[Literal["email.queued", "email.processing", "email.held", "email.delivered", "email.opened", "email.clicked", "email.bounced", "email.deferred", "email.failed", "email.complained", "email.unsubscribed", "email.rejected", "email.received", "domain.verified", "domain.failing", "domain.recovered", "domain.unverified", "suppression.added", "suppression.removed", "attention.raised", "attention.cleared", "canary.stepped"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookDelivery:
        """Send a test event to a webhook"""
        given: t.WebhookDelivery = await self._api.data(
            "POST /webhooks/{id}/test",
            params={"id": id},
            query={"type": type},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def rotate_secret(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookWithSecret:
        """Create a new signing secret for a webhook"""
        given: t.WebhookWithSecret = await self._api.data(
            "POST /webhooks/{id}/rotate-secret",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def deliveries(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["pending", "delivered", "failed"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhooksDeliveriesPage:
        """List the deliveries to a webhook in the last 30 days, newest first"""
        given: t.WebhooksDeliveriesPage = await self._api.answer(
            "GET /webhooks/{id}/deliveries",
            params={"id": id},
            query={"limit": limit, "cursor": cursor, "status": status},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all_deliveries(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        status: Optional[Literal["pending", "delivered", "failed"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.WebhookDelivery]:
        """List the deliveries to a webhook in the last 30 days, newest first: all of them, page by page as you read on."""
        given: AsyncIterator[t.WebhookDelivery] = self._api.cursor(
            "GET /webhooks/{id}/deliveries",
            params={"id": id},
            query={"limit": limit, "status": status},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookDeliveryWithRequest:
        """Get a delivery with its request"""
        given: t.WebhookDeliveryWithRequest = await self._api.data(
            "GET /webhooks/{id}/deliveries/{delivery_id}",
            params={"id": id, "delivery_id": delivery_id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def preview(
        self,
        id: str,
        event_id: str,
        *,
        format: Optional[Literal["postrider", "resend", "sendgrid", "postmark"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookPreview:
        """Preview the webhook request for an event"""
        given: t.WebhookPreview = await self._api.data(
            "GET /emails/{id}/events/{event_id}/webhook",
            params={"id": id, "event_id": event_id},
            query={"format": format},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def stats(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookStats:
        """Get the statistics of a webhook"""
        given: t.WebhookStats = await self._api.data(
            "GET /webhooks/{id}/stats",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def replay(
        self,
        id: str,
        delivery_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookDelivery:
        """Resend a delivery with the same webhook-id"""
        given: t.WebhookDelivery = await self._api.data(
            "POST /webhooks/{id}/deliveries/{delivery_id}/replay",
            params={"id": id, "delivery_id": delivery_id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def replay_range(
        self,
        id: str,
        body: t.WebhooksReplayRangeBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhooksReplayRangeData:
        """Resend the failed deliveries of a period, or all deliveries"""
        given: t.WebhooksReplayRangeData = await self._api.data(
            "POST /webhooks/{id}/replay",
            params={"id": id},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncEventsResource:
    """Everything that happens, the newest first."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        type: Optional[Literal["queued", "processing", "held", "delivered", "opened", "clicked", "bounced", "deferred", "failed", "complained", "unsubscribed", "rejected", "received"]] = None,
        recipient: Optional[str] = None,
        api_key_id: Optional[str] = None,
        from_date: Optional[str] = None,
        to_date: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.EventsListPage:
        """List events, newest first"""
        given: t.EventsListPage = await self._api.answer(
            "GET /events",
            query={"limit": limit, "cursor": cursor, "type": type, "recipient": recipient, "api_key_id": api_key_id, "from_date": from_date, "to_date": to_date},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all(
        self,
        *,
        limit: Optional[int] = None,
        type: Optional[Literal["queued", "processing", "held", "delivered", "opened", "clicked", "bounced", "deferred", "failed", "complained", "unsubscribed", "rejected", "received"]] = None,
        recipient: Optional[str] = None,
        api_key_id: Optional[str] = None,
        from_date: Optional[str] = None,
        to_date: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.StreamEvent]:
        """List events, newest first: all of them, page by page as you read on."""
        given: AsyncIterator[t.StreamEvent] = self._api.cursor(
            "GET /events",
            query={"limit": limit, "type": type, "recipient": recipient, "api_key_id": api_key_id, "from_date": from_date, "to_date": to_date},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncStatsResource:
    """Numbers for an overview."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def overview(
        self,
        *,
        range: Optional[Literal["24h", "7d", "30d"]] = None,
        stream: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Overview:
        """Get statistics of your mail over time"""
        given: t.Overview = await self._api.data(
            "GET /stats",
            query={"range": range, "stream": stream},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def deliverability(
        self,
        *,
        range: Optional[Literal["24h", "7d", "30d"]] = None,
        by: Optional[Literal["provider", "domain", "template", "tag", "stream", "reason"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deliverability:
        """Get delivery results by provider, domain, template, stream, tag or reason"""
        given: t.Deliverability = await self._api.data(
            "GET /stats/deliverability",
            query={"range": range, "by": by},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def workers(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.Worker]:
        """List the workers that deliver mail, with their last heartbeat"""
        given: List[t.Worker] = await self._api.data(
            "GET /stats/workers",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def attention(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Attention:
        """Get current warnings and the state of the queue"""
        given: t.Attention = await self._api.data(
            "GET /stats/attention",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def first_steps(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.FirstSteps:
        """Get the state of the setup, and the address for SMTP submission"""
        given: t.FirstSteps = await self._api.data(
            "GET /first-steps",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncSandboxResource:
    """The inbox of the sandbox, where every mail ends up that would have been delivered. Sandbox mode only."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        to: Optional[str] = None,
        q: Optional[str] = None,
        unread: Optional[bool] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SandboxListPage:
        """List captured messages, newest first"""
        given: t.SandboxListPage = await self._api.answer(
            "GET /sandbox/messages",
            query={"page": page, "limit": limit, "to": to, "q": q, "unread": unread},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all(
        self,
        *,
        limit: Optional[int] = None,
        to: Optional[str] = None,
        q: Optional[str] = None,
        unread: Optional[bool] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.SandboxMessageItem]:
        """List captured messages, newest first: all of them, page by page as you read on."""
        given: AsyncIterator[t.SandboxMessageItem] = self._api.pages(
            "GET /sandbox/messages",
            query={"limit": limit, "to": to, "q": q, "unread": unread},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SandboxMessage:
        """Get a captured message, parsed"""
        given: t.SandboxMessage = await self._api.data(
            "GET /sandbox/messages/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def latest(
        self,
        *,
        to: Optional[str] = None,
        subject: Optional[str] = None,
        since: Optional[str] = None,
        wait: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Union[t.SandboxLatestData, None]:
        """Get the newest captured message that matches, or wait for one"""
        given: Union[t.SandboxLatestData, None] = await self._api.data(
            "GET /sandbox/messages/latest",
            query={"to": to, "subject": subject, "since": since, "wait": wait},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def act(
        self,
        id: str,
        body: t.SandboxActBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SandboxActData:
        """Simulate an action of the recipient of a captured message"""
        given: t.SandboxActData = await self._api.data(
            "POST /sandbox/messages/{id}/actions",
            params={"id": id},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def raw(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Get the source of a captured message"""
        given: str = await self._api.answer(
            "GET /sandbox/messages/{id}/raw",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def checks(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SandboxMessageChecks:
        """Check a captured message"""
        given: t.SandboxMessageChecks = await self._api.data(
            "GET /sandbox/messages/{id}/checks",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def check_links(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.SandboxCheckedLink]:
        """Check the links of a captured message"""
        given: List[t.SandboxCheckedLink] = await self._api.data(
            "POST /sandbox/messages/{id}/links/check",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def mark(
        self,
        id: str,
        is_read: bool,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.MarkSandboxMessage:
        """Mark a captured message as read or unread"""
        given: t.MarkSandboxMessage = await self._api.data(
            "PATCH /sandbox/messages/{id}",
            params={"id": id},
            body={"is_read": is_read},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def mark_all(
        self,
        is_read: bool,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SandboxMarkAllData:
        """Mark all captured messages as read or unread"""
        given: t.SandboxMarkAllData = await self._api.data(
            "PATCH /sandbox/messages",
            body={"is_read": is_read},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deleted:
        """Delete a captured message"""
        given: t.Deleted = await self._api.data(
            "DELETE /sandbox/messages/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def clear(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SandboxClearData:
        """Delete all captured messages of the organization"""
        given: t.SandboxClearData = await self._api.data(
            "DELETE /sandbox/messages",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def sample_reports(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SandboxSampleReportsData:
        """Send sample DMARC and TLS reports about a domain"""
        given: t.SandboxSampleReportsData = await self._api.data(
            "POST /sandbox/domains/{id}/reports",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def create_organization(
        self,
        body: Optional[t.SandboxCreateOrganizationBody] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ThrowAwayOrganization:
        """Create an organization for one run of your tests"""
        given: t.ThrowAwayOrganization = await self._api.data(
            "POST /sandbox/organizations",
            body={} if body is None else body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delete_organization(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deleted:
        """Delete the test organization of the calling API key"""
        given: t.Deleted = await self._api.data(
            "DELETE /sandbox/organization",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncApiKeysResource:
    """API keys."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ApiKeysListPage:
        """List API keys, newest first, including revoked ones"""
        given: t.ApiKeysListPage = await self._api.answer(
            "GET /api-keys",
            query={"page": page, "limit": limit},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.ApiKey]:
        """List API keys, newest first, including revoked ones: all of them, page by page as you read on."""
        given: AsyncIterator[t.ApiKey] = self._api.pages(
            "GET /api-keys",
            query={"limit": limit},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def create(
        self,
        body: t.ApiKeysCreateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.CreatedApiKey:
        """Create an API key"""
        given: t.CreatedApiKey = await self._api.data(
            "POST /api-keys",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def current(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ApiKey:
        """Get the calling API key"""
        given: t.ApiKey = await self._api.data(
            "GET /api-keys/current",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update(
        self,
        id: str,
        body: t.ApiKeysUpdateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ApiKey:
        """Change the policy of an API key"""
        given: t.ApiKey = await self._api.data(
            "PATCH /api-keys/{id}",
            params={"id": id},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def revoke(
        self,
        id: str,
        *,
        mail: Optional[Literal["leave", "hold", "withdraw"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ApiKeysRevokeData:
        """Revoke an API key"""
        given: t.ApiKeysRevokeData = await self._api.data(
            "DELETE /api-keys/{id}",
            params={"id": id},
            query={"mail": mail},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def rotate(
        self,
        id: str,
        body: Optional[t.ApiKeysRotateBody] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.RotatedApiKey:
        """Rotate an API key"""
        given: t.RotatedApiKey = await self._api.data(
            "POST /api-keys/{id}/rotate",
            params={"id": id},
            body={} if body is None else body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def usage(
        self,
        id: str,
        *,
        days: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ApiKeyUsage:
        """Get the daily usage of an API key"""
        given: t.ApiKeyUsage = await self._api.data(
            "GET /api-keys/{id}/usage",
            params={"id": id},
            query={"days": days},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncInboundResource:
    """Mail that you receive."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        route: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        conversation: Optional[str] = None,
        search: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.InboundListPage:
        """List received mail, newest first"""
        given: t.InboundListPage = await self._api.answer(
            "GET /inbound",
            query={"limit": limit, "cursor": cursor, "route": route, "from": from_, "to": to, "conversation": conversation, "search": search},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all(
        self,
        *,
        limit: Optional[int] = None,
        route: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        conversation: Optional[str] = None,
        search: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.ReceivedEmailItem]:
        """List received mail, newest first: all of them, page by page as you read on."""
        given: AsyncIterator[t.ReceivedEmailItem] = self._api.cursor(
            "GET /inbound",
            query={"limit": limit, "route": route, "from": from_, "to": to, "conversation": conversation, "search": search},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ReceivedEmail:
        """Get a received mail"""
        given: t.ReceivedEmail = await self._api.data(
            "GET /inbound/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def attachment(
        self,
        id: str,
        number: int,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.EmailAttachment:
        """Get one attachment of a received mail"""
        given: t.EmailAttachment = await self._api.data(
            "GET /inbound/{id}/attachments/{number}",
            params={"id": id, "number": number},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def raw(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Get the source of a received mail"""
        given: str = await self._api.answer(
            "GET /inbound/{id}/raw",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def reply(
        self,
        id: str,
        body: Optional[t.InboundReplyBody] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SendResult:
        """Reply to a received mail"""
        given: t.SendResult = await self._api.data(
            "POST /inbound/{id}/reply",
            params={"id": id},
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deleted:
        """Delete a received mail with all of its content"""
        given: t.Deleted = await self._api.data(
            "DELETE /inbound/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def domains(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.ReceivingDomain]:
        """List the domains that you receive mail at"""
        given: List[t.ReceivingDomain] = await self._api.data(
            "GET /inbound/domains",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def add_domain(
        self,
        domain: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ReceivingDomain:
        """Receive mail at a domain"""
        given: t.ReceivingDomain = await self._api.data(
            "POST /inbound/domains",
            body={"domain": domain},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def verify_domain(
        self,
        domain: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ReceivingDomain:
        """Check the MX record of a receiving domain now"""
        given: t.ReceivingDomain = await self._api.data(
            "GET /inbound/domains/{domain}/verify",
            params={"domain": domain},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def remove_domain(
        self,
        domain: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deleted:
        """Stop receiving mail at a domain and delete its routes"""
        given: t.Deleted = await self._api.data(
            "DELETE /inbound/domains/{domain}",
            params={"domain": domain},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def routes(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.InboundRoute]:
        """List the addresses that you receive mail at"""
        given: List[t.InboundRoute] = await self._api.data(
            "GET /inbound/routes",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def create_route(
        self,
        body: t.InboundCreateRouteBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.InboundRoute:
        """Receive mail at an address"""
        given: t.InboundRoute = await self._api.data(
            "POST /inbound/routes",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get_route(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.InboundRoute:
        """Get a route"""
        given: t.InboundRoute = await self._api.data(
            "GET /inbound/routes/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update_route(
        self,
        id: str,
        body: t.InboundUpdateRouteBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.InboundRoute:
        """Change a route"""
        given: t.InboundRoute = await self._api.data(
            "PATCH /inbound/routes/{id}",
            params={"id": id},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delete_route(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deleted:
        """Delete a route"""
        given: t.Deleted = await self._api.data(
            "DELETE /inbound/routes/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncStreamsResource:
    """Kinds of mail that are kept apart."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.Stream]:
        """List streams"""
        given: List[t.Stream] = await self._api.data(
            "GET /streams",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        name: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Stream:
        """Get a stream"""
        given: t.Stream = await self._api.data(
            "GET /streams/{name}",
            params={"name": name},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def create(
        self,
        body: t.StreamsCreateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Stream:
        """Create a stream"""
        given: t.Stream = await self._api.data(
            "POST /streams",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update(
        self,
        name: str,
        body: t.StreamsUpdateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Stream:
        """Change a stream"""
        given: t.Stream = await self._api.data(
            "PATCH /streams/{name}",
            params={"name": name},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delete(
        self,
        name: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.StreamsDeleteData:
        """Remove a stream"""
        given: t.StreamsDeleteData = await self._api.data(
            "DELETE /streams/{name}",
            params={"name": name},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncViewsResource:
    """Filters of lists, saved under a name."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        list: Optional[Literal["emails", "request_logs", "approvals", "holds", "templates", "suppressions", "inbound", "sandbox_messages", "sites", "audit_log"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.View]:
        """List saved views"""
        given: List[t.View] = await self._api.data(
            "GET /views",
            query={"list": list},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def create(
        self,
        body: t.ViewsCreateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.View:
        """Save a view"""
        given: t.View = await self._api.data(
            "POST /views",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update(
        self,
        id: str,
        body: t.ViewsUpdateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.View:
        """Change a saved view"""
        given: t.View = await self._api.data(
            "PATCH /views/{id}",
            params={"id": id},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Deleted:
        """Delete a saved view"""
        given: t.Deleted = await self._api.data(
            "DELETE /views/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncApprovalsResource:
    """Mail that waits for approval: people decide, who are signed in."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        state: Optional[Literal["waiting", "decided"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ApprovalsListPage:
        """List emails that wait for approval, or that were decided"""
        given: t.ApprovalsListPage = await self._api.answer(
            "GET /approvals",
            query={"page": page, "limit": limit, "state": state},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all(
        self,
        *,
        limit: Optional[int] = None,
        state: Optional[Literal["waiting", "decided"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.Approval]:
        """List emails that wait for approval, or that were decided: all of them, page by page as you read on."""
        given: AsyncIterator[t.Approval] = self._api.pages(
            "GET /approvals",
            query={"limit": limit, "state": state},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Approval:
        """Get an approval"""
        given: t.Approval = await self._api.data(
            "GET /approvals/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def message(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ApprovalMessage:
        """Get the complete message that an approval would send"""
        given: t.ApprovalMessage = await self._api.data(
            "GET /approvals/{id}/message",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def part(
        self,
        id: str,
        number: int,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.EmailAttachment:
        """Get one part of a message that waits for approval"""
        given: t.EmailAttachment = await self._api.data(
            "GET /approvals/{id}/parts/{number}",
            params={"id": id, "number": number},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def raw(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Get the source of a message that waits for approval"""
        given: str = await self._api.answer(
            "GET /approvals/{id}/raw",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncHoldsResource:
    """Mail that is held back."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        view: Optional[Literal["organization", "installation"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.HoldsListPage:
        """List holds, active ones first"""
        given: t.HoldsListPage = await self._api.answer(
            "GET /holds",
            query={"page": page, "limit": limit, "view": view},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all(
        self,
        *,
        limit: Optional[int] = None,
        view: Optional[Literal["organization", "installation"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.Hold]:
        """List holds, active ones first: all of them, page by page as you read on."""
        given: AsyncIterator[t.Hold] = self._api.pages(
            "GET /holds",
            query={"limit": limit, "view": view},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def create(
        self,
        body: t.HoldsCreateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.PlacedHold:
        """Hold mail"""
        given: t.PlacedHold = await self._api.data(
            "POST /holds",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.HoldDetail:
        """Get a hold and the amount of held mail"""
        given: t.HoldDetail = await self._api.data(
            "GET /holds/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def release(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Hold:
        """Release a hold and send its mail"""
        given: t.Hold = await self._api.data(
            "POST /holds/{id}/release",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def discard(
        self,
        id: str,
        body: t.HoldsDiscardBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Hold:
        """Discard the mail of a hold so that it is never sent"""
        given: t.Hold = await self._api.data(
            "POST /holds/{id}/discard",
            params={"id": id},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def release_many(
        self,
        ids: List[str],
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BulkResult:
        """Release several holds and send their mail"""
        given: t.BulkResult = await self._api.data(
            "POST /holds/release",
            body={"ids": ids},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def discard_many(
        self,
        body: t.HoldsDiscardManyBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BulkResult:
        """Discard the mail of several holds so that it is never sent"""
        given: t.BulkResult = await self._api.data(
            "POST /holds/discard",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncUndosResource:
    """Withdrawing what was sent by mistake."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.UndosListPage:
        """List undos, newest first"""
        given: t.UndosListPage = await self._api.answer(
            "GET /undos",
            query={"page": page, "limit": limit},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.Undo]:
        """List undos, newest first: all of them, page by page as you read on."""
        given: AsyncIterator[t.Undo] = self._api.pages(
            "GET /undos",
            query={"limit": limit},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def preview(
        self,
        body: t.UndosPreviewBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.IncidentReport:
        """Preview an undo"""
        given: t.IncidentReport = await self._api.data(
            "POST /undos/preview",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def create(
        self,
        body: t.UndosCreateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Undo:
        """Undo an incident"""
        given: t.Undo = await self._api.data(
            "POST /undos",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Undo:
        """Get the progress of an undo"""
        given: t.Undo = await self._api.data(
            "GET /undos/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncRequestLogsResource:
    """Requests that were made with the keys of the organization."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        status: Optional[int] = None,
        code: Optional[Literal["VALIDATION_ERROR", "DOMAIN_NOT_VERIFIED", "RECIPIENTS_SUPPRESSED", "RECIPIENTS_REJECTED", "UNAUTHORIZED", "TOTP_REQUIRED", "FORBIDDEN", "HOST_NOT_ALLOWED", "SETUP_TOKEN_REQUIRED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "EXPECTATION_FAILED", "LIMIT_EXCEEDED", "RATE_LIMITED", "HEADERS_TOO_LARGE", "INTERNAL_ERROR", "UNAVAILABLE"]] = None,
        path: Optional[str] = None,
        key_id: Optional[str] = None,
        recipient: Optional[str] = None,
        request_id: Optional[str] = None,
        from_date: Optional[str] = None,
        to_date: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.RequestLogsListPage:
        """List refused requests, newest first"""
        given: t.RequestLogsListPage = await self._api.answer(
            "GET /request-logs",
            query={"page": page, "limit": limit, "status": status, "code": code, "path": path, "key_id": key_id, "recipient": recipient, "request_id": request_id, "from_date": from_date, "to_date": to_date},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    def all(
        self,
        *,
        limit: Optional[int] = None,
        status: Optional[int] = None,
        code: Optional[Literal["VALIDATION_ERROR", "DOMAIN_NOT_VERIFIED", "RECIPIENTS_SUPPRESSED", "RECIPIENTS_REJECTED", "UNAUTHORIZED", "TOTP_REQUIRED", "FORBIDDEN", "HOST_NOT_ALLOWED", "SETUP_TOKEN_REQUIRED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "EXPECTATION_FAILED", "LIMIT_EXCEEDED", "RATE_LIMITED", "HEADERS_TOO_LARGE", "INTERNAL_ERROR", "UNAVAILABLE"]] = None,
        path: Optional[str] = None,
        key_id: Optional[str] = None,
        recipient: Optional[str] = None,
        request_id: Optional[str] = None,
        from_date: Optional[str] = None,
        to_date: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncIterator[t.RequestLogEntry]:
        """List refused requests, newest first: all of them, page by page as you read on."""
        given: AsyncIterator[t.RequestLogEntry] = self._api.pages(
            "GET /request-logs",
            query={"limit": limit, "status": status, "code": code, "path": path, "key_id": key_id, "recipient": recipient, "request_id": request_id, "from_date": from_date, "to_date": to_date},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.RequestLogEntry:
        """Get a refused request"""
        given: t.RequestLogEntry = await self._api.data(
            "GET /request-logs/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncSettingsResource:
    """What an organization decides for itself."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def validation(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ValidationSettings:
        """Get your allow and deny lists of disposable domains"""
        given: t.ValidationSettings = await self._api.data(
            "GET /settings/validation",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update_validation(
        self,
        body: t.SettingsUpdateValidationBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ValidationSettings:
        """Replace your allow and deny lists of disposable domains"""
        given: t.ValidationSettings = await self._api.data(
            "PUT /settings/validation",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def auto_validation(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.AutoValidation:
        """Get the auto-validation setting"""
        given: t.AutoValidation = await self._api.data(
            "GET /settings/auto-validation",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update_auto_validation(
        self,
        body: t.SettingsUpdateAutoValidationBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.AutoValidation:
        """Change the auto-validation setting"""
        given: t.AutoValidation = await self._api.data(
            "PUT /settings/auto-validation",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def guard(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Guard:
        """Get the settings of the guard"""
        given: t.Guard = await self._api.data(
            "GET /settings/guard",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update_guard(
        self,
        body: t.SettingsUpdateGuardBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Guard:
        """Turn the guard on or off, or replace its allow-list"""
        given: t.Guard = await self._api.data(
            "PUT /settings/guard",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def tracking(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Tracking:
        """Get the tracking setting"""
        given: t.Tracking = await self._api.data(
            "GET /settings/tracking",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update_tracking(
        self,
        body: t.SettingsUpdateTrackingBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Tracking:
        """Change the tracking setting"""
        given: t.Tracking = await self._api.data(
            "PUT /settings/tracking",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def retention(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Retention:
        """Get the retention periods of your mail"""
        given: t.Retention = await self._api.data(
            "GET /settings/retention",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update_retention(
        self,
        body: t.SettingsUpdateRetentionBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Retention:
        """Change the retention periods of your mail"""
        given: t.Retention = await self._api.data(
            "PUT /settings/retention",
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncSitesResource:
    """The mail servers that mail goes to, and how they take it."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        view: Optional[Literal["organization", "installation"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.Site]:
        """List the sites that mail waits for"""
        given: List[t.Site] = await self._api.data(
            "GET /sites",
            query={"view": view},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Site:
        """Get a site"""
        given: t.Site = await self._api.data(
            "GET /sites/{id}",
            params={"id": id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncFeedbackLoopsResource:
    """Where providers tell who complained."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[t.FeedbackLoop]:
        """List the feedback loops of providers, with the state of your enrolment"""
        given: List[t.FeedbackLoop] = await self._api.data(
            "GET /feedback-loops",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given

    async def update(
        self,
        loop: str,
        subject: str,
        body: t.FeedbackLoopsUpdateBody,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.FeedbackLoop:
        """Mark a domain or address as enrolled, or as not enrolled"""
        given: t.FeedbackLoop = await self._api.data(
            "PUT /feedback-loops/{loop}/{subject}",
            params={"loop": loop, "subject": subject},
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncOrganizationResource:
    """The organization that the key belongs to."""

    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Organization:
        """Get your organization, its sending limit and the used part of the limit"""
        given: t.Organization = await self._api.data(
            "GET /organization",
            timeout=timeout,
            max_retries=max_retries,
        )
        return given


class AsyncResources:
    """Every resource of the API, as a field."""

    def __init__(self, api: AsyncTransport) -> None:
        self.emails = AsyncEmailsResource(api)
        self.domains = AsyncDomainsResource(api)
        self.templates = AsyncTemplatesResource(api)
        self.search = AsyncSearchResource(api)
        self.suppressions = AsyncSuppressionsResource(api)
        self.validation = AsyncValidationResource(api)
        self.webhooks = AsyncWebhooksResource(api)
        self.events = AsyncEventsResource(api)
        self.stats = AsyncStatsResource(api)
        self.sandbox = AsyncSandboxResource(api)
        self.api_keys = AsyncApiKeysResource(api)
        self.inbound = AsyncInboundResource(api)
        self.streams = AsyncStreamsResource(api)
        self.views = AsyncViewsResource(api)
        self.approvals = AsyncApprovalsResource(api)
        self.holds = AsyncHoldsResource(api)
        self.undos = AsyncUndosResource(api)
        self.request_logs = AsyncRequestLogsResource(api)
        self.settings = AsyncSettingsResource(api)
        self.sites = AsyncSitesResource(api)
        self.feedback_loops = AsyncFeedbackLoopsResource(api)
        self.organization = AsyncOrganizationResource(api)
