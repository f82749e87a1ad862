-- Every event moves these positions. With room in its page a row is changed in place, without a new entry in each index.
alter table project_figures set (fillfactor = 70);
alter table inbox_positions set (fillfactor = 50);
