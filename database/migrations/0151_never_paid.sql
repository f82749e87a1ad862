-- Of a subscription that nobody paid, no payment has ended, also if its project was deleted.
update subscription_figures set paid_until = null where paid_from is null and paid_until is not null;
