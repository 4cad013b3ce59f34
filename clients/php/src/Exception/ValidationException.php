<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 400: the request is wrong. `details` names the fields. */
class ValidationException extends PostriderException
{
}
