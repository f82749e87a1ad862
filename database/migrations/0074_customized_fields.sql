-- The states of template cards also name the fields that a project customized. Every project is counted anew, a few at a time.
update project_figures set stale_at = now();
