// What the service says in German, by the English sentence. languages/sentences.test.ts compares it with the declarations.
//
// Words (the web app uses the same):
//   board Board · group Gruppe · card Karte · template Vorlage · rollout Verteilung, roll out verteilen · project Projekt ·
//   member Mitglied · tag Schlagwort · assignee zuständig · due date Fälligkeit · trash Papierkorb · archived archiviert ·
//   comment Kommentar · check Prüfung · tour Tour · superadmin Superadmin · platform Plattform · product Produkt · plan Tarif ·
//   subscription Abo · trial Testphase · invoice Rechnung · order Bestellung · reference Verwendungszweck · theme Theme ·
//   deprecated zurückgezogen · sign in anmelden · session Sitzung · second factor zweiter Faktor ·
//   recovery code Wiederherstellungscode
// Style: short, no „Du“ and no „Sie“, instructions as infinitives, quotation marks „…“.

/** The name of each input field inside „…“. */
export const labels: Readonly<Record<string, string>> = {
  amount: 'Betrag',
  approval_status: 'Freigabe',
  board_id: 'Board',
  card_id: 'Karte',
  card_ids: 'Karten',
  card_type: 'Art der Karte',
  check: 'Prüfung',
  code: 'Code',
  color: 'Farbe',
  comment: 'Kommentar',
  comment_id: 'Kommentar',
  current_password: 'Aktuelles Passwort',
  cursor: 'Cursor',
  days: 'Tage',
  delete_from_projects: 'In Projekten löschen',
  description: 'Beschreibung',
  detail: 'Einzelheiten',
  done_closes_cards: 'Fertig schließt Karten',
  due_date: 'Fälligkeit',
  email: 'E-Mail',
  enable_ai: 'KI-Funktionen',
  evaluation_check: 'Prüfung',
  fields: 'Felder',
  group_id: 'Gruppe',
  groups: 'Gruppen',
  icon: 'Symbol',
  id: 'ID',
  idempotency_key: 'Idempotency-Key',
  is_active: 'Aktiv',
  is_collapsed: 'Eingeklappt',
  is_dismissed: 'Ausgeblendet',
  is_mine: 'Mir zugewiesen',
  is_of_project: 'Nur dieses Projekt',
  is_open: 'Offen',
  is_recovery: 'Wiederherstellungscode',
  keep_current: 'Aktuelle Sitzung behalten',
  kind: 'Art',
  language: 'Sprache',
  limit: 'Anzahl',
  name: 'Name',
  needs_confirmation: 'Bestätigung nötig',
  new_password: 'Neues Passwort',
  outcome: 'Ergebnis',
  owner_id: 'Zuständig',
  parent_comment_id: 'Antwort auf',
  passed: 'Bestanden',
  password: 'Passwort',
  period: 'Zeitraum',
  plan: 'Tarif',
  position: 'Position',
  priority: 'Priorität',
  product: 'Produkt',
  project_id: 'Projekt',
  project_name: 'Name des Projekts',
  push_to_projects: 'An Projekte verteilen',
  query: 'Suche',
  reason: 'Grund',
  reference: 'Verwendungszweck',
  results: 'Ergebnisse',
  short_description: 'Kurzbeschreibung',
  snoozed_until: 'Zurückgestellt bis',
  status: 'Status',
  tag_id: 'Schlagwort',
  theme_id: 'Theme',
  theme_status: 'Status des Themes',
  title: 'Titel',
  token: 'Token',
  tool_key: 'Produkt',
  tour_key: 'Schritt der Tour',
  type: 'Typ',
  unique_identifier: 'Eindeutige Kennung',
  version: 'Version',
  version_id: 'Version',
  website_url: 'Adresse der Website',
  with_parents: 'Mit Gruppe und Board',
  'x-project-id': 'X-Project-Id',
}

export const sentences = {
  // The rules of fields.
  'The :attribute field is required.': 'Das Feld „:attribute“ ist erforderlich.',
  'The :attribute field must be a string.': 'Das Feld „:attribute“ muss Text enthalten.',
  'The :attribute field must be an integer.': 'Das Feld „:attribute“ muss eine ganze Zahl sein.',
  'The :attribute field must be true or false.': 'Das Feld „:attribute“ muss true oder false sein.',
  'The :attribute field must be an array.': 'Das Feld „:attribute“ muss ein Array sein.',
  'The :attribute field must be a valid date.': 'Das Feld „:attribute“ muss ein gültiges Datum sein.',
  'The :attribute field must be a valid email address.':
    'Das Feld „:attribute“ muss eine gültige E-Mail-Adresse sein.',
  'The selected :attribute is invalid.': 'Die Auswahl für „:attribute“ ist ungültig.',
  'The :attribute field must be at least :value characters.':
    'Das Feld „:attribute“ muss mindestens :value Zeichen haben.',
  'The :attribute field must not be greater than :value characters.':
    'Das Feld „:attribute“ darf höchstens :value Zeichen haben.',
  'The :attribute field must be at least :value.': 'Das Feld „:attribute“ muss mindestens :value sein.',
  'The :attribute field must not be greater than :value.':
    'Das Feld „:attribute“ darf höchstens :value sein.',
  'The :attribute field must not have more than :value items.':
    'Das Feld „:attribute“ darf höchstens :value Einträge haben.',
  'The :attribute field contains a control character (:value) that cannot be stored.':
    'Das Feld „:attribute“ enthält ein Steuerzeichen (:value), das nicht gespeichert werden kann.',
  'The :attribute field holds characters that cannot be stored.':
    'Das Feld „:attribute“ enthält Zeichen, die nicht gespeichert werden können.',
  '(and 1 more error)': '(und 1 weiterer Fehler)',
  '(and :count more errors)': '(und :count weitere Fehler)',

  // Fields that several operations share.
  'The :attribute has already been taken.': 'Der Wert für „:attribute“ ist bereits vergeben.',
  'The :attribute field has a duplicate value.': 'Das Feld „:attribute“ enthält einen doppelten Wert.',
  'The selected :attribute is archived.': 'Die Auswahl für „:attribute“ ist archiviert.',
  'The selected :attribute is inactive.': 'Die Auswahl für „:attribute“ ist inaktiv.',
  'The :attribute field has too much markup.': 'Das Feld „:attribute“ enthält zu viele Formatierungen.',
  'The :attribute field must not be greater than 64 kilobytes.':
    'Das Feld „:attribute“ darf höchstens 64 Kilobyte groß sein.',
  'The idempotency key must have 1 to 255 characters.': 'Der Idempotency-Key muss 1 bis 255 Zeichen haben.',
  'The idempotency key has been used for another request.':
    'Der Idempotency-Key wurde schon für eine andere Anfrage verwendet.',
  'A request with this Idempotency-Key is still running.':
    'Eine Anfrage mit diesem Idempotency-Key läuft noch.',

  // The router.
  'The request body is larger than 1 MiB.': 'Der Inhalt der Anfrage ist größer als 1 MiB.',
  'The request body must be of content type application/json.':
    'Der Inhalt der Anfrage muss den Typ application/json haben.',
  'The request body is not valid UTF-8.': 'Der Inhalt der Anfrage ist kein gültiges UTF-8.',
  'The request body is not valid JSON.': 'Der Inhalt der Anfrage ist kein gültiges JSON.',
  'The request body must be a JSON object.': 'Der Inhalt der Anfrage muss ein JSON-Objekt sein.',
  'Send either a Bearer token or the session cookie, not both.':
    'Entweder ein Bearer-Token oder das Sitzungs-Cookie senden, nicht beides.',
  'Unauthenticated.': 'Nicht angemeldet.',
  'This action is unauthorized.': 'Diese Aktion ist nicht erlaubt.',
  'You are a member of no project.': 'Keine Mitgliedschaft in einem Projekt.',
  'Not found.': 'Nicht gefunden.',
  'This address is called with POST.': 'Diese Adresse wird mit POST aufgerufen.',
  'Too Many Attempts.': 'Zu viele Versuche.',
  'Too many answers to you have not been read yet.': 'Zu viele Antworten wurden noch nicht gelesen.',
  'You have more requests waiting than your share of the server allows.':
    'Es warten mehr Anfragen, als der Anteil am Server zulässt.',
  'You have :count event streams open. Close one of them.':
    'Es sind :count Ereignis-Streams offen. Einen davon schließen.',
  'Server Error': 'Serverfehler',
  'The server is too busy to finish this request. Check what was changed before you try again.':
    'Der Server ist zu ausgelastet, um diese Anfrage abzuschließen. Vor einem neuen Versuch prüfen, was geändert wurde.',

  // Limits.
  'The project or template has reached a limit; the message says which.':
    'Das Projekt oder die Vorlage hat eine Grenze erreicht; die Meldung nennt sie.',
  'A group can hold at most :most cards. Move or delete some first, or use another group.':
    'Eine Gruppe kann höchstens :most Karten enthalten. Zuerst einige verschieben oder löschen, oder eine andere Gruppe verwenden.',
  'A board can hold at most :most cards. Move or delete some first, or use another board.':
    'Ein Board kann höchstens :most Karten enthalten. Zuerst einige verschieben oder löschen, oder ein anderes Board verwenden.',
  'A board can have at most :most groups. Delete one first.':
    'Ein Board kann höchstens :most Gruppen haben. Zuerst eine löschen.',
  'A card can have at most :most comments. Delete some first, or continue on another card.':
    'Eine Karte kann höchstens :most Kommentare haben. Zuerst einige löschen, oder auf einer anderen Karte weiterschreiben.',
  'A board can hold at most :most. Shorten descriptions or delete cards first, or use another board.':
    'Ein Board kann höchstens :most enthalten. Zuerst Beschreibungen kürzen oder Karten löschen, oder ein anderes Board verwenden.',
  'A project can hold at most :most. Delete boards, cards or comments first.':
    'Ein Projekt kann höchstens :most enthalten. Zuerst Boards, Karten oder Kommentare löschen.',
  'A project can have at most :most boards. Delete one first.':
    'Ein Projekt kann höchstens :most Boards haben. Zuerst eines löschen.',
  'A project can have at most :most tags. Delete one first.':
    'Ein Projekt kann höchstens :most Schlagwörter haben. Zuerst eines löschen.',
  'A project can have at most :most members.': 'Ein Projekt kann höchstens :most Mitglieder haben.',
  'There can be at most :most templates. Delete one first.':
    'Es kann höchstens :most Vorlagen geben. Zuerst eine löschen.',

  // Accounts.
  'Signed in.': 'Angemeldet.',
  'These credentials do not match our records.': 'E-Mail oder Passwort ist falsch.',
  'This account is disabled.': 'Dieses Konto ist gesperrt.',
  'A two-factor authentication code is required.': 'Ein Code des zweiten Faktors ist erforderlich.',
  'The code is not valid.': 'Der Code ist ungültig.',
  'Too many wrong attempts. Wait before you try again.':
    'Zu viele falsche Versuche. Vor dem nächsten Versuch warten.',
  'No recovery codes are left; make new ones.': 'Kein Wiederherstellungscode ist übrig; neue erstellen.',
  '1 recovery code left.': '1 Wiederherstellungscode übrig.',
  ':count recovery codes left.': ':count Wiederherstellungscodes übrig.',
  'The password was changed.': 'Das Passwort wurde geändert.',
  'The password is incorrect.': 'Das Passwort ist falsch.',
  'The :attribute field must not be greater than 1024 bytes.':
    'Das Feld „:attribute“ darf höchstens 1024 Byte groß sein.',
  'The :attribute field is too easy to guess.': 'Das Feld „:attribute“ ist zu leicht zu erraten.',
  'Enter the secret in your authenticator app, then confirm a code.':
    'Das Geheimnis in der Authenticator-App eingeben, dann einen Code bestätigen.',
  'Two-factor authentication is already on.': 'Der zweite Faktor ist schon eingeschaltet.',
  'Two-factor authentication is on. Keep the recovery codes in a safe place.':
    'Der zweite Faktor ist eingeschaltet. Die Wiederherstellungscodes sicher aufbewahren.',
  'There is no secret to confirm. Call begin first.':
    'Es gibt kein Geheimnis zu bestätigen. Zuerst begin aufrufen.',
  'Two-factor authentication is off.': 'Der zweite Faktor ist ausgeschaltet.',
  'Two-factor authentication is not on.': 'Der zweite Faktor ist nicht eingeschaltet.',
  'The warning was dismissed.': 'Die Warnung wurde ausgeblendet.',
  'Keep the recovery codes in a safe place.': 'Die Wiederherstellungscodes sicher aufbewahren.',
  'Your sessions.': 'Die eigenen Sitzungen.',
  'Your sessions have ended.': 'Die eigenen Sitzungen sind beendet.',
  'The session has ended.': 'Die Sitzung ist beendet.',
  'You have no session with this id.': 'Es gibt keine eigene Sitzung mit dieser ID.',
  'The link can be used.': 'Der Link ist gültig.',
  'Cardinal is already set up.': 'Cardinal ist bereits eingerichtet.',
  'This setup link is not valid or has expired. Restart Cardinal for a new one.':
    'Dieser Einrichtungslink ist ungültig oder abgelaufen. Cardinal neu starten, um einen neuen zu erhalten.',
  'Cardinal is set up.': 'Cardinal ist eingerichtet.',
  'The state of the setup.': 'Der Stand der Einrichtung.',
  'You.': 'Das eigene Konto.',
  'The user was changed.': 'Das Konto wurde geändert.',
  'There is no user with this id.': 'Es gibt kein Konto mit dieser ID.',
  'Your account was updated.': 'Das Konto wurde aktualisiert.',

  // Projects.
  'The members of the project.': 'Die Mitglieder des Projekts.',
  'The project was created.': 'Das Projekt wurde erstellt.',
  'The projects.': 'Die Projekte.',
  'The project was updated.': 'Das Projekt wurde aktualisiert.',
  'There is no project with this id.': 'Es gibt kein Projekt mit dieser ID.',
  'The :attribute field must be an address that starts with http:// or https://, without a user name, a question mark or a #.':
    'Das Feld „:attribute“ muss eine Adresse sein, die mit http:// oder https:// beginnt, ohne Benutzernamen, Fragezeichen und #.',

  // Templates and rollouts.
  'The template was created.': 'Die Vorlage wurde erstellt.',
  'The template was deleted.': 'Die Vorlage wurde gelöscht.',
  'There is no template with this id.': 'Es gibt keine Vorlage mit dieser ID.',
  'The template was duplicated.': 'Die Vorlage wurde dupliziert.',
  'The template.': 'Die Vorlage.',
  'The templates.': 'Die Vorlagen.',
  'The template was updated.': 'Die Vorlage wurde aktualisiert.',
  'The projects are up to date.': 'Die Projekte sind auf dem neuesten Stand.',
  'This template is inactive; activate it to roll it out.':
    'Diese Vorlage ist inaktiv; zum Verteilen aktivieren.',
  'The template card was created.': 'Die Vorlagenkarte wurde erstellt.',
  'The template card was deleted.': 'Die Vorlagenkarte wurde gelöscht.',
  'There is no template card with this id.': 'Es gibt keine Vorlagenkarte mit dieser ID.',
  'There is no deleted template card with this id.': 'Es gibt keine gelöschte Vorlagenkarte mit dieser ID.',
  'The template card.': 'Die Vorlagenkarte.',
  'The template card was moved.': 'Die Vorlagenkarte wurde verschoben.',
  'The card was rolled out.': 'Die Karte wurde verteilt.',
  'This template card is inactive; activate it to roll it out.':
    'Diese Vorlagenkarte ist inaktiv; zum Verteilen aktivieren.',
  'The template of this card is inactive; activate it to roll out its cards.':
    'Die Vorlage dieser Karte ist inaktiv; zum Verteilen ihrer Karten aktivieren.',
  'The template card was restored.': 'Die Vorlagenkarte wurde wiederhergestellt.',
  'This template card is not deleted.': 'Diese Vorlagenkarte ist nicht gelöscht.',
  'The group of this template card was deleted.': 'Die Gruppe dieser Vorlagenkarte wurde gelöscht.',
  'Another template card now has this unique identifier; change that card first.':
    'Eine andere Vorlagenkarte hat jetzt diese eindeutige Kennung; zuerst jene Karte ändern.',
  'The template card was updated.': 'Die Vorlagenkarte wurde aktualisiert.',
  'The template group was created.': 'Die Vorlagengruppe wurde erstellt.',
  'The template group was deleted.': 'Die Vorlagengruppe wurde gelöscht.',
  'There is no template group with this id.': 'Es gibt keine Vorlagengruppe mit dieser ID.',
  'The template groups were reordered.': 'Die Vorlagengruppen wurden neu geordnet.',
  'The template group was updated.': 'Die Vorlagengruppe wurde aktualisiert.',
  'The rollout is canceled.': 'Die Verteilung wird abgebrochen.',
  'This rollout has ended already.': 'Diese Verteilung ist schon beendet.',
  'There is no rollout with this id.': 'Es gibt keine Verteilung mit dieser ID.',
  'The rollout.': 'Die Verteilung.',
  'The rollouts.': 'Die Verteilungen.',
  'The rollout was resumed.': 'Die Verteilung wurde fortgesetzt.',
  'This rollout is still running.': 'Diese Verteilung läuft noch.',
  'This rollout is still being canceled.': 'Diese Verteilung wird noch abgebrochen.',
  'This rollout has reached every project; there is nothing to retry.':
    'Diese Verteilung hat jedes Projekt erreicht; es gibt nichts zu wiederholen.',
  'The rollout was canceled before it had reached every project.':
    'Die Verteilung wurde abgebrochen, bevor sie jedes Projekt erreicht hatte.',
  'The rollout was canceled after :reached of :all projects; admin/pushes/get with id :id tells what was done in each project.':
    'Die Verteilung wurde nach :reached von :all Projekten abgebrochen; admin/pushes/get mit der ID :id zeigt, was in jedem Projekt geschehen ist.',
  'The service is stopping; the rollout goes on when it is back.':
    'Der Dienst wird beendet; die Verteilung läuft weiter, sobald er zurück ist.',
  'The service is stopping; the rollout goes on when it is back, and admin/pushes/get with id :id tells what was done in each project.':
    'Der Dienst wird beendet; die Verteilung läuft weiter, sobald er zurück ist, und admin/pushes/get mit der ID :id zeigt, was in jedem Projekt geschehen ist.',

  // Boards, groups and cards.
  'What happened.': 'Was geschehen ist.',
  'The board was created.': 'Das Board wurde erstellt.',
  'The board was deleted.': 'Das Board wurde gelöscht.',
  'There is no board with this id.': 'Es gibt kein Board mit dieser ID.',
  'The board.': 'Das Board.',
  'The boards of the project.': 'Die Boards des Projekts.',
  'The board was restored.': 'Das Board wurde wiederhergestellt.',
  'This board is not deleted.': 'Dieses Board ist nicht gelöscht.',
  'The board was updated.': 'Das Board wurde aktualisiert.',
  'The card was created.': 'Die Karte wurde erstellt.',
  'The card was deleted.': 'Die Karte wurde gelöscht.',
  'Members can delete only cards they created.': 'Mitglieder können nur eigene Karten löschen.',
  'There is no card with this id.': 'Es gibt keine Karte mit dieser ID.',
  'The card.': 'Die Karte.',
  'The card was moved.': 'Die Karte wurde verschoben.',
  'The card was reset.': 'Die Karte wurde zurückgesetzt.',
  'This card does not come from a template.': 'Diese Karte stammt nicht aus einer Vorlage.',
  'The group of this card in its template was deleted or archived. Move the card instead.':
    'Die Gruppe dieser Karte in ihrer Vorlage wurde gelöscht oder archiviert. Die Karte stattdessen verschieben.',
  'The card was restored.': 'Die Karte wurde wiederhergestellt.',
  'This card is not deleted.': 'Diese Karte ist nicht gelöscht.',
  'The board of this card was deleted, or has no group; with_parents restores both.':
    'Das Board dieser Karte wurde gelöscht oder hat keine Gruppe; with_parents stellt beide wieder her.',
  'Members can restore only cards they created.': 'Mitglieder können nur eigene Karten wiederherstellen.',
  'Only admins and owners can restore the group or board of a card.':
    'Nur Admins und Inhaber können die Gruppe oder das Board einer Karte wiederherstellen.',
  'The cards.': 'Die Karten.',
  'This search takes too long. Try more or longer words.':
    'Diese Suche dauert zu lange. Mehr oder längere Wörter versuchen.',
  'The card was updated.': 'Die Karte wurde aktualisiert.',
  'The comment was created.': 'Der Kommentar wurde erstellt.',
  'The comment was deleted.': 'Der Kommentar wurde gelöscht.',
  'Members can delete only their own comments.': 'Mitglieder können nur eigene Kommentare löschen.',
  'There is no comment with this id.': 'Es gibt keinen Kommentar mit dieser ID.',
  'The comments of the card.': 'Die Kommentare der Karte.',
  'Marked as read.': 'Als gelesen markiert.',
  'The comment was restored.': 'Der Kommentar wurde wiederhergestellt.',
  'This comment is not deleted.': 'Dieser Kommentar ist nicht gelöscht.',
  'The comment that this replies to was deleted.': 'Der Kommentar, auf den dieser antwortet, wurde gelöscht.',
  'Members can restore only their own comments.': 'Mitglieder können nur eigene Kommentare wiederherstellen.',
  'The unread comments.': 'Die ungelesenen Kommentare.',
  'The comment was updated.': 'Der Kommentar wurde aktualisiert.',
  'Only the author can edit a comment.': 'Nur wer einen Kommentar geschrieben hat, kann ihn bearbeiten.',
  'The results were reported.': 'Die Ergebnisse wurden gemeldet.',
  'The result was reported.': 'Das Ergebnis wurde gemeldet.',
  'The group was archived.': 'Die Gruppe wurde archiviert.',
  'There is no group with this id.': 'Es gibt keine Gruppe mit dieser ID.',
  'The group was created.': 'Die Gruppe wurde erstellt.',
  'The group was deleted.': 'Die Gruppe wurde gelöscht.',
  'The archived groups.': 'Die archivierten Gruppen.',
  'The groups were reordered.': 'Die Gruppen wurden neu geordnet.',
  'The order was restored.': 'Die Reihenfolge wurde wiederhergestellt.',
  'The group was restored.': 'Die Gruppe wurde wiederhergestellt.',
  'The board of this group was deleted; with_parents restores both.':
    'Das Board dieser Gruppe wurde gelöscht; with_parents stellt beide wieder her.',
  'This group is not deleted.': 'Diese Gruppe ist nicht gelöscht.',
  'The group was unarchived.': 'Die Gruppe ist nicht mehr archiviert.',
  'The group was updated.': 'Die Gruppe wurde aktualisiert.',
  'An archived group has no position.': 'Eine archivierte Gruppe hat keine Position.',
  'The tag was created.': 'Das Schlagwort wurde erstellt.',
  'The tag was deleted.': 'Das Schlagwort wurde gelöscht.',
  'There is no tag with this id.': 'Es gibt kein Schlagwort mit dieser ID.',
  'The tags of the project.': 'Die Schlagwörter des Projekts.',
  'The tag was updated.': 'Das Schlagwort wurde aktualisiert.',
  'The tour was dismissed.': 'Die Tour wurde ausgeblendet.',
  'The tour.': 'Die Tour.',
  'The tour was marked as seen.': 'Die Tour wurde als gesehen markiert.',
  'The tour was brought back.': 'Die Tour wurde zurückgeholt.',
  'What was deleted.': 'Was gelöscht wurde.',

  // Subscriptions and orders.
  'The payment was booked.': 'Die Zahlung wurde verbucht.',
  'This order has expired. Ask the project to order again, and book the payment to the new order.':
    'Diese Bestellung ist abgelaufen. Das Projekt um eine neue Bestellung bitten und die Zahlung darauf verbuchen.',
  'The subscription of this order is paid in another way. Refund this payment.':
    'Das Abo dieser Bestellung wird anders bezahlt. Diese Zahlung erstatten.',
  'There is no order with this reference.': 'Es gibt keine Bestellung mit diesem Verwendungszweck.',
  'The :attribute is not valid: check its digits.':
    'Der Wert für „:attribute“ ist ungültig: die Ziffern prüfen.',
  'The :attribute must be exactly the amount of the order.':
    'Der Wert für „:attribute“ muss genau der Betrag der Bestellung sein.',
  'The open orders.': 'Die offenen Bestellungen.',
  'The orders of the project.': 'Die Bestellungen des Projekts.',
  'The available plans.': 'Die verfügbaren Tarife.',
  'The subscription ends at the end of its period.': 'Das Abo endet mit seinem Zeitraum.',
  'This subscription is not paid for; a trial ends by itself.':
    'Dieses Abo ist nicht bezahlt; eine Testphase endet von selbst.',
  'This subscription has ended.': 'Dieses Abo ist beendet.',
  'Someone else is changing this subscription. Try again.':
    'Jemand anderes ändert gerade dieses Abo. Noch einmal versuchen.',
  'The payment provider did not respond correctly. Nothing was charged. Try again in a minute.':
    'Der Zahlungsanbieter hat nicht richtig geantwortet. Nichts wurde abgebucht. In einer Minute noch einmal versuchen.',
  'The payment provider of this subscription is not set up on this server.':
    'Der Zahlungsanbieter dieses Abos ist auf diesem Server nicht eingerichtet.',
  'There is no subscription with this id.': 'Es gibt kein Abo mit dieser ID.',
  'The trial was extended.': 'Die Testphase wurde verlängert.',
  'Only a trial can be extended.': 'Nur eine Testphase kann verlängert werden.',
  'The subscription and its history.': 'Das Abo und sein Verlauf.',
  'The subscriptions of the project.': 'Die Abos des Projekts.',
  'The subscription was resumed.': 'Das Abo wurde fortgesetzt.',
  'The trial was started.': 'Die Testphase hat begonnen.',
  'The project already has a subscription to this product.':
    'Das Projekt hat schon ein Abo für dieses Produkt.',
  'The checkout is open.': 'Die Bezahlseite ist bereit.',
  'Only a trial can be upgraded; this subscription is active.':
    'Nur aus einer Testphase kann ein bezahltes Abo werden; dieses Abo ist aktiv.',
  'Only a trial can be upgraded; this subscription is paid for, but a payment is overdue.':
    'Nur aus einer Testphase kann ein bezahltes Abo werden; dieses Abo wird bezahlt, aber eine Zahlung ist überfällig.',
  'Only a trial can be upgraded; this subscription is canceled.':
    'Nur aus einer Testphase kann ein bezahltes Abo werden; dieses Abo ist gekündigt.',
  'This subscription has just been paid for and will be active in a moment.':
    'Dieses Abo wurde gerade bezahlt und ist gleich aktiv.',
  'Someone else is choosing a plan for this subscription. Try again.':
    'Jemand anderes wählt gerade einen Tarif für dieses Abo. Noch einmal versuchen.',
  'Payments are not set up on this server.': 'Zahlungen sind auf diesem Server nicht eingerichtet.',
  'The project has no subscription to this product.': 'Das Projekt hat kein Abo für dieses Produkt.',

  // Themes.
  'The theme was created.': 'Das Theme wurde erstellt.',
  'The themes.': 'Die Themes.',
  'There is no theme with this id.': 'Es gibt kein Theme mit dieser ID.',
  'The theme version was approved.': 'Die Theme-Version wurde freigegeben.',
  'Only a version that is waiting for review can be approved.':
    'Nur eine Version, die auf Freigabe wartet, kann freigegeben werden.',
  'There is no theme version with this id.': 'Es gibt keine Theme-Version mit dieser ID.',
  'The theme versions to choose from.': 'Die Theme-Versionen zur Auswahl.',
  'The theme version was chosen.': 'Die Theme-Version wurde ausgewählt.',
  'This version is not published.': 'Diese Version ist nicht veröffentlicht.',
  'This version is deprecated and can no longer be chosen.':
    'Diese Version ist zurückgezogen und kann nicht mehr ausgewählt werden.',
  'The theme version that the project uses.': 'Die Theme-Version, die das Projekt verwendet.',
  'The theme version was created.': 'Die Theme-Version wurde erstellt.',
  'The theme version was deprecated.': 'Die Theme-Version wurde zurückgezogen.',
  'Only an approved version can be deprecated.': 'Nur eine freigegebene Version kann zurückgezogen werden.',
  'The theme version.': 'Die Theme-Version.',
  'The theme versions.': 'Die Theme-Versionen.',
  'The theme version was published.': 'Die Theme-Version wurde veröffentlicht.',
  'Only an approved version that is not deprecated can be published.':
    'Nur eine freigegebene Version, die nicht zurückgezogen ist, kann veröffentlicht werden.',
  'The theme version was rejected.': 'Die Theme-Version wurde abgelehnt.',
  'Only a version that is waiting for review can be rejected.':
    'Nur eine Version, die auf Freigabe wartet, kann abgelehnt werden.',
  'The theme version was restored.': 'Die Theme-Version wurde wiederhergestellt.',
  'Only a deprecated version can be restored.':
    'Nur eine zurückgezogene Version kann wiederhergestellt werden.',
  'The theme version was submitted for review.': 'Die Theme-Version wurde zur Freigabe eingereicht.',
  'This version is already approved.': 'Diese Version ist schon freigegeben.',
  'The projects that use the theme version.': 'Die Projekte, die die Theme-Version verwenden.',

  // The pages where a checkout or an order is paid.
  'For :project': 'Für :project',
  'Back to Cardinal': 'Zurück zu Cardinal',
  Paid: 'Bezahlt',
  Expired: 'Abgelaufen',
  'Check the address, or choose a plan again.': 'Die Adresse prüfen oder erneut einen Tarif wählen.',
  'Order :reference': 'Bestellung :reference',
  'Order not found': 'Bestellung nicht gefunden',
  'Ordered :day': 'Bestellt am :day',
  'for a month': 'für einen Monat',
  'for a year': 'für ein Jahr',
  'The payment of this order has arrived.': 'Die Zahlung dieser Bestellung ist eingegangen.',
  "This order could be paid until :day. Don't transfer money for it. Choose a plan again.":
    'Diese Bestellung konnte bis :day bezahlt werden. Kein Geld mehr dafür überweisen. Erneut einen Tarif wählen.',
  'Pay by bank transfer': 'Mit Überweisung bezahlen',
  Amount: 'Betrag',
  Payee: 'Empfänger',
  IBAN: 'IBAN',
  Account: 'Konto',
  Bank: 'Bank',
  Reference: 'Verwendungszweck',
  'Pay by': 'Zahlbar bis',
  'Use exactly this amount and reference. The plan starts when your payment has arrived, usually within a few working days.':
    'Genau diesen Betrag und Verwendungszweck angeben. Der Tarif beginnt, wenn die Zahlung eingegangen ist, meist nach wenigen Werktagen.',
  'Pay for :product': ':product bezahlen',
  'Error: Pay for :product': 'Fehler: :product bezahlen',
  'Checkout not found': 'Bezahlseite nicht gefunden',
  'a month': 'pro Monat',
  'a year': 'pro Jahr',
  'Paid each month until you cancel.': 'Monatliche Zahlung bis zur Kündigung.',
  'Paid each year until you cancel.': 'Jährliche Zahlung bis zur Kündigung.',
  'This subscription is paid for.': 'Dieses Abo ist bezahlt.',
  'This checkout has expired. Nothing was charged. Choose a plan again.':
    'Diese Bezahlseite ist abgelaufen. Nichts wurde abgebucht. Erneut einen Tarif wählen.',
  'Test card: succeeds': 'Testkarte: wird angenommen',
  'Test card: declines': 'Testkarte: wird abgelehnt',
  Card: 'Karte',
  'Card number': 'Kartennummer',
  'A test card': 'Eine Testkarte',
  Expires: 'Gültig bis',
  'MM/YY': 'MM/JJ',
  'Security code': 'Prüfnummer',
  'Any 3 digits': 'Beliebige 3 Ziffern',
  'Pay :price': ':price bezahlen',
  'Go back without paying': 'Ohne Bezahlen zurück',
  'Test page.': 'Testseite.',
  'No money moves here, and no card is stored.': 'Hier fließt kein Geld, und keine Karte wird gespeichert.',
  ':title – Cardinal sandbox': ':title – Cardinal-Testumgebung',
  'The card was declined. Nothing was charged. Try another card.':
    'Die Karte wurde abgelehnt. Nichts wurde abgebucht. Eine andere Karte versuchen.',
  'Use a test card, such as :number. Never enter a real one.':
    'Eine Testkarte verwenden, zum Beispiel :number. Niemals eine echte eingeben.',
  'Enter any 3 digits.': 'Beliebige 3 Ziffern eingeben.',
  'Enter month and year, such as 12/34.': 'Monat und Jahr eingeben, zum Beispiel 12/34.',
  'This card has expired. Enter a future month.':
    'Diese Karte ist abgelaufen. Einen Monat in der Zukunft eingeben.',
} as const
